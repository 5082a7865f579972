"""One live game among people: seats, queue, clocks, the fair race."""
