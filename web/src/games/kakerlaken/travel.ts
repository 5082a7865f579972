// A tile that is won or goes back is seen to travel, and turns on its way.

import { crossfade } from "svelte/transition";
import { pace } from "../../lib/pace.svelte";

const travelMs = 750;
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export const [leave, arrive] = crossfade({ duration: () => (still() ? 0 : pace.ms(travelMs)) });
