// A tile that is won or goes back is seen to travel, and turns on its way.

import { crossfade } from "svelte/transition";
import { isStill, pace } from "../../lib/pace.svelte";

const travelMs = 750;

export const [leave, arrive] = crossfade({ duration: () => (isStill() ? 0 : pace.ms(travelMs)) });
