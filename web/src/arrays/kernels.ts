/**
 * The loops over elements for the browser's small numpy (`tischlein.page.numbers`).
 *
 * AssemblyScript, not TypeScript. Memory is Python's own heap: addresses come in, nothing is kept
 * or allocated here. Elements are of three kinds: 0 is a truth in one byte, 1 a whole number and
 * 2 a float, both in eight. Strides count bytes.
 *
 * A layout tells how several arrays are walked together: the number of axes, then for each axis
 * six numbers: its size, room to count in, and the strides of up to four arrays.
 */

const AXIS: usize = 24;

const ADD: i32 = 0;
const SUBTRACT: i32 = 1;
const MULTIPLY: i32 = 2;
const DIVIDE: i32 = 3;
const FLOOR_DIVIDE: i32 = 4;
const REMAINDER: i32 = 5;
const MINIMUM: i32 = 6;
const MAXIMUM: i32 = 7;
const EQUAL: i32 = 8;
const NOT_EQUAL: i32 = 9;
const LESS: i32 = 10;
const LESS_EQUAL: i32 = 11;
const GREATER: i32 = 12;
const GREATER_EQUAL: i32 = 13;
const AND: i32 = 14;
const OR: i32 = 15;
const XOR: i32 = 16;
const SHIFT_LEFT: i32 = 17;
const SHIFT_RIGHT: i32 = 18;
const LDEXP: i32 = 19;
const UNARY: i32 = 32;
const TO_BOOL: i32 = 32;
const TO_INT: i32 = 33;
const TO_FLOAT: i32 = 34;
const NEGATIVE: i32 = 35;
const ABSOLUTE: i32 = 36;
const INVERT: i32 = 37;
const RINT: i32 = 38;
const FLOOR: i32 = 39;
const CEIL: i32 = 40;
const SQRT: i32 = 41;
const IS_NAN: i32 = 42;

/** Names of operations, as types: a loop is compiled for each. */
class Add {}
class Subtract {}
class Multiply {}
class Divide {}
class FloorDivide {}
class Remainder {}
class Minimum {}
class Maximum {}
class Equal {}
class NotEqual {}
class Less {}
class LessEqual {}
class Greater {}
class GreaterEqual {}
class And {}
class Or {}
class Xor {}
class ShiftLeft {}
class ShiftRight {}
class ToBool {}
class ToInt {}
class ToFloat {}
class Negative {}
class Absolute {}
class Invert {}
class Rint {}
class Floor {}
class Ceil {}
class Sqrt {}
class IsNan {}

const SUM: i32 = 0;
const LEAST: i32 = 1;
const MOST: i32 = 2;
const ANY: i32 = 3;
const ALL: i32 = 4;
const WHERE_LEAST: i32 = 5;
const WHERE_MOST: i32 = 6;
const PRODUCT: i32 = 7;

// Where a walk over several arrays stands: the row that is next, and its strides.
let at0: usize = 0;
let at1: usize = 0;
let at2: usize = 0;
let at3: usize = 0;
let by0: i32 = 0;
let by1: i32 = 0;
let by2: i32 = 0;
let by3: i32 = 0;

/** Begins a walk: axes that can be walked as one are joined. Gives the length of a row. */
function begin(layout: usize, a0: usize, a1: usize, a2: usize, a3: usize): i32 {
  const axes = load<i32>(layout);
  const first = layout + 4;
  let last: usize = first - AXIS;
  for (let n = 0; n < axes; n++) {
    const axis = first + <usize>n * AXIS;
    const size = load<i32>(axis);
    if (size == 0) return 0;
    if (size == 1) continue;
    if (last >= first && joins(last, axis, size)) {
      store<i32>(axis, load<i32>(last) * size);
    } else {
      last += AXIS;
    }
    if (last != axis) memory.copy(last, axis, AXIS);
    store<i32>(last, 0, 4);
  }
  at0 = a0;
  at1 = a1;
  at2 = a2;
  at3 = a3;
  if (last < first) {
    store<i32>(layout, 0);
    return 1;
  }
  store<i32>(layout, <i32>((last - first) / AXIS));
  by0 = load<i32>(last, 8);
  by1 = load<i32>(last, 12);
  by2 = load<i32>(last, 16);
  by3 = load<i32>(last, 20);
  return load<i32>(last);
}

/** Says whether an axis goes on where the next one ends, for all arrays. */
function joins(outer: usize, inner: usize, size: i32): bool {
  return (
    load<i32>(outer, 8) == load<i32>(inner, 8) * size &&
    load<i32>(outer, 12) == load<i32>(inner, 12) * size &&
    load<i32>(outer, 16) == load<i32>(inner, 16) * size &&
    load<i32>(outer, 20) == load<i32>(inner, 20) * size
  );
}

/** Goes to the next row; after `begin` a layout tells how many axes are left outside of rows. */
function step(layout: usize): bool {
  for (let axis = layout + 4 + <usize>(load<i32>(layout) - 1) * AXIS; axis > layout; axis -= AXIS) {
    const size = load<i32>(axis);
    const count = load<i32>(axis, 4) + 1;
    const by = count < size ? 1 : 1 - size;
    at0 += by * load<i32>(axis, 8);
    at1 += by * load<i32>(axis, 12);
    at2 += by * load<i32>(axis, 16);
    at3 += by * load<i32>(axis, 20);
    store<i32>(axis, count < size ? count : 0, 4);
    if (count < size) return true;
  }
  return false;
}

/** Divides so that the remainder has the sign of the divisor, as Python does. */
function floorDivided(x: f64, y: f64): f64 {
  if (y == 0) return x / y;
  const rest = x % y;
  let found = (x - rest) / y;
  if (rest != 0 && y < 0 != rest < 0) found -= 1;
  if (found == 0) return copysign<f64>(0, x / y);
  const whole = floor<f64>(found);
  return found - whole > 0.5 ? whole + 1 : whole;
}

function remainder(x: f64, y: f64): f64 {
  const rest = x % y;
  if (y == 0) return rest;
  if (rest == 0) return copysign<f64>(0, y);
  return y < 0 != rest < 0 ? rest + y : rest;
}

function wholeDivided(x: i64, y: i64): i64 {
  if (y == 0) return 0;
  if (y == -1) return -x;
  const found = x / y;
  return x % y != 0 && x < 0 != y < 0 ? found - 1 : found;
}

function wholeRemainder(x: i64, y: i64): i64 {
  if (y == 0 || y == -1) return 0;
  const rest = x % y;
  return rest != 0 && rest < 0 != y < 0 ? rest + y : rest;
}

function toInt(x: f64): i64 {
  return abs<f64>(x) < 9223372036854775808.0 ? <i64>x : i64.MIN_VALUE;
}

function shiftedLeft(x: i64, y: i64): i64 {
  return <u64>y < 64 ? x << y : 0;
}

function shiftedRight(x: i64, y: i64): i64 {
  return x >> (<u64>y < 64 ? y : 63);
}

/** Multiplies by a power of two; in two steps where the power itself is no normal number. */
function scaled(x: f64, twos: i64): f64 {
  let by = max<i64>(min<i64>(twos, 2200), -2200);
  for (; by > 1023; by -= 1023) x *= reinterpret<f64>(<u64>0x7fe0000000000000);
  // Down by less than the smallest normal number each time, so that it is rounded only once.
  for (; by < -1022; by += 969) x *= reinterpret<f64>((<u64>(1023 - 969)) << 52);
  return x * reinterpret<f64>((<u64>(1023 + by)) << 52);
}

function ofTwo<Op, C, R>(x: C, y: C): R {
  if (idof<Op>() == idof<Add>()) return <R>(x + y);
  if (idof<Op>() == idof<Subtract>()) return <R>(x - y);
  if (idof<Op>() == idof<Multiply>()) return <R>(x * y);
  if (idof<Op>() == idof<Equal>()) return <R>(x == y);
  if (idof<Op>() == idof<NotEqual>()) return <R>(x != y);
  if (idof<Op>() == idof<Less>()) return <R>(x < y);
  if (idof<Op>() == idof<LessEqual>()) return <R>(x <= y);
  if (idof<Op>() == idof<Greater>()) return <R>(x > y);
  if (idof<Op>() == idof<GreaterEqual>()) return <R>(x >= y);
  if (idof<Op>() == idof<Minimum>()) return <R>(x <= y || x != x ? x : y);
  if (idof<Op>() == idof<Maximum>()) return <R>(x >= y || x != x ? x : y);
  if (isFloat<C>()) {
    if (idof<Op>() == idof<Divide>()) return <R>(x / y);
    if (idof<Op>() == idof<FloorDivide>()) return <R>floorDivided(<f64>x, <f64>y);
    return <R>remainder(<f64>x, <f64>y);
  }
  if (idof<Op>() == idof<FloorDivide>()) return <R>wholeDivided(<i64>x, <i64>y);
  if (idof<Op>() == idof<Remainder>()) return <R>wholeRemainder(<i64>x, <i64>y);
  if (idof<Op>() == idof<And>()) return <R>((<i64>x) & (<i64>y));
  if (idof<Op>() == idof<Or>()) return <R>((<i64>x) | (<i64>y));
  if (idof<Op>() == idof<Xor>()) return <R>((<i64>x) ^ (<i64>y));
  if (idof<Op>() == idof<ShiftLeft>()) return <R>shiftedLeft(<i64>x, <i64>y);
  return <R>shiftedRight(<i64>x, <i64>y);
}

function pairs<Op, A, B, C, R>(
  n: i32,
  out: usize,
  go: i32,
  a: usize,
  ga: i32,
  b: usize,
  gb: i32,
): void {
  for (; n > 0; n--) {
    store<R>(out, ofTwo<Op, C, R>(<C>load<A>(a), <C>load<B>(b)));
    out += go;
    a += ga;
    b += gb;
  }
}

/** Does a row of what all numbers can; says whether it was that. */
function common<A, B, C>(
  op: i32,
  n: i32,
  out: usize,
  go: i32,
  a: usize,
  ga: i32,
  b: usize,
  gb: i32,
): bool {
  if (op == ADD) pairs<Add, A, B, C, C>(n, out, go, a, ga, b, gb);
  else if (op == SUBTRACT) pairs<Subtract, A, B, C, C>(n, out, go, a, ga, b, gb);
  else if (op == MULTIPLY) pairs<Multiply, A, B, C, C>(n, out, go, a, ga, b, gb);
  else if (op == FLOOR_DIVIDE) pairs<FloorDivide, A, B, C, C>(n, out, go, a, ga, b, gb);
  else if (op == REMAINDER) pairs<Remainder, A, B, C, C>(n, out, go, a, ga, b, gb);
  else if (op == MINIMUM) pairs<Minimum, A, B, C, C>(n, out, go, a, ga, b, gb);
  else if (op == MAXIMUM) pairs<Maximum, A, B, C, C>(n, out, go, a, ga, b, gb);
  else if (op == EQUAL) pairs<Equal, A, B, C, u8>(n, out, go, a, ga, b, gb);
  else if (op == NOT_EQUAL) pairs<NotEqual, A, B, C, u8>(n, out, go, a, ga, b, gb);
  else if (op == LESS) pairs<Less, A, B, C, u8>(n, out, go, a, ga, b, gb);
  else if (op == LESS_EQUAL) pairs<LessEqual, A, B, C, u8>(n, out, go, a, ga, b, gb);
  else if (op == GREATER) pairs<Greater, A, B, C, u8>(n, out, go, a, ga, b, gb);
  else if (op == GREATER_EQUAL) pairs<GreaterEqual, A, B, C, u8>(n, out, go, a, ga, b, gb);
  else return false;
  return true;
}

function floats<A, B>(
  op: i32,
  n: i32,
  out: usize,
  go: i32,
  a: usize,
  ga: i32,
  b: usize,
  gb: i32,
): void {
  if (common<A, B, f64>(op, n, out, go, a, ga, b, gb)) return;
  pairs<Divide, A, B, f64, f64>(n, out, go, a, ga, b, gb);
}

function wholes<A, B>(
  op: i32,
  n: i32,
  out: usize,
  go: i32,
  a: usize,
  ga: i32,
  b: usize,
  gb: i32,
): void {
  if (common<A, B, i64>(op, n, out, go, a, ga, b, gb)) return;
  if (op == AND) pairs<And, A, B, i64, i64>(n, out, go, a, ga, b, gb);
  else if (op == OR) pairs<Or, A, B, i64, i64>(n, out, go, a, ga, b, gb);
  else if (op == XOR) pairs<Xor, A, B, i64, i64>(n, out, go, a, ga, b, gb);
  else if (op == SHIFT_LEFT) pairs<ShiftLeft, A, B, i64, i64>(n, out, go, a, ga, b, gb);
  else pairs<ShiftRight, A, B, i64, i64>(n, out, go, a, ga, b, gb);
}

function truths(op: i32, n: i32, out: usize, go: i32, a: usize, ga: i32, b: usize, gb: i32): void {
  if (op == AND) pairs<And, u8, u8, i32, u8>(n, out, go, a, ga, b, gb);
  else if (op == OR) pairs<Or, u8, u8, i32, u8>(n, out, go, a, ga, b, gb);
  else pairs<Xor, u8, u8, i32, u8>(n, out, go, a, ga, b, gb);
}

function powers<A, B>(n: i32, out: usize, go: i32, a: usize, ga: i32, b: usize, gb: i32): void {
  for (; n > 0; n--) {
    store<f64>(out, scaled(<f64>load<A>(a), <i64>load<B>(b)));
    out += go;
    a += ga;
    b += gb;
  }
}

function ofOne<Op, A, R>(x: A): R {
  if (idof<Op>() == idof<ToBool>()) return <R>(x != 0);
  if (idof<Op>() == idof<ToInt>()) return isFloat<A>() ? <R>toInt(<f64>x) : <R>x;
  if (idof<Op>() == idof<ToFloat>()) return <R>x;
  if (idof<Op>() == idof<Negative>()) return isFloat<A>() ? <R>-x : <R>(0 - <R>x);
  if (idof<Op>() == idof<Absolute>())
    return isFloat<A>() ? <R>abs<f64>(<f64>x) : <R>abs<i64>(<i64>x);
  if (idof<Op>() == idof<Invert>())
    return sizeof<A>() == 1 ? <R>((<i32>x) ^ 1) : <R>((<i64>x) ^ -1);
  if (idof<Op>() == idof<Rint>()) return <R>nearest<f64>(<f64>x);
  if (idof<Op>() == idof<Floor>()) return <R>floor<f64>(<f64>x);
  if (idof<Op>() == idof<Ceil>()) return <R>ceil<f64>(<f64>x);
  if (idof<Op>() == idof<Sqrt>()) return <R>sqrt<f64>(<f64>x);
  return <R>(x != x);
}

function singles<Op, A, R>(n: i32, out: usize, go: i32, a: usize, ga: i32): void {
  for (; n > 0; n--) {
    store<R>(out, ofOne<Op, A, R>(load<A>(a)));
    out += go;
    a += ga;
  }
}

function one<A>(op: i32, n: i32, out: usize, go: i32, a: usize, ga: i32): void {
  if (op == TO_BOOL) singles<ToBool, A, u8>(n, out, go, a, ga);
  else if (op == TO_INT) singles<ToInt, A, i64>(n, out, go, a, ga);
  else if (op == TO_FLOAT) singles<ToFloat, A, f64>(n, out, go, a, ga);
  else if (op == NEGATIVE) singles<Negative, A, A>(n, out, go, a, ga);
  else if (op == ABSOLUTE) singles<Absolute, A, A>(n, out, go, a, ga);
  else if (op == INVERT) singles<Invert, A, A>(n, out, go, a, ga);
  else if (op == RINT) singles<Rint, A, f64>(n, out, go, a, ga);
  else if (op == FLOOR) singles<Floor, A, f64>(n, out, go, a, ga);
  else if (op == CEIL) singles<Ceil, A, f64>(n, out, go, a, ga);
  else if (op == SQRT) singles<Sqrt, A, f64>(n, out, go, a, ga);
  else singles<IsNan, A, u8>(n, out, go, a, ga);
}

/** Calculates one row; the kinds of both arrays are told as one number, first × 3 + second. */
export function row(
  op: i32,
  kinds: i32,
  n: i32,
  out: usize,
  go: i32,
  a: usize,
  ga: i32,
  b: usize,
  gb: i32,
): void {
  if (op >= UNARY) {
    if (kinds < 3) one<u8>(op, n, out, go, a, ga);
    else if (kinds < 6) one<i64>(op, n, out, go, a, ga);
    else one<f64>(op, n, out, go, a, ga);
    return;
  }
  if (op == LDEXP) {
    if (kinds == 7) powers<f64, i64>(n, out, go, a, ga, b, gb);
    else powers<i64, i64>(n, out, go, a, ga, b, gb);
    return;
  }
  if (kinds == 0 && op >= AND && op <= XOR) {
    truths(op, n, out, go, a, ga, b, gb);
    return;
  }
  if (op == DIVIDE || kinds == 2 || kinds > 4) {
    if (kinds == 0) floats<u8, u8>(op, n, out, go, a, ga, b, gb);
    else if (kinds == 1) floats<u8, i64>(op, n, out, go, a, ga, b, gb);
    else if (kinds == 2) floats<u8, f64>(op, n, out, go, a, ga, b, gb);
    else if (kinds == 3) floats<i64, u8>(op, n, out, go, a, ga, b, gb);
    else if (kinds == 4) floats<i64, i64>(op, n, out, go, a, ga, b, gb);
    else if (kinds == 5) floats<i64, f64>(op, n, out, go, a, ga, b, gb);
    else if (kinds == 6) floats<f64, u8>(op, n, out, go, a, ga, b, gb);
    else if (kinds == 7) floats<f64, i64>(op, n, out, go, a, ga, b, gb);
    else floats<f64, f64>(op, n, out, go, a, ga, b, gb);
    return;
  }
  if (kinds == 0) wholes<u8, u8>(op, n, out, go, a, ga, b, gb);
  else if (kinds == 1) wholes<u8, i64>(op, n, out, go, a, ga, b, gb);
  else if (kinds == 3) wholes<i64, u8>(op, n, out, go, a, ga, b, gb);
  else wholes<i64, i64>(op, n, out, go, a, ga, b, gb);
}

/** Calculates element by element; operations on one array read only the first. */
export function calculate(
  op: i32,
  kinds: i32,
  out: usize,
  a: usize,
  b: usize,
  layout: usize,
): void {
  const n = begin(layout, out, a, b, 0);
  if (n == 0) return;
  do row(op, kinds, n, at0, by0, at1, by1, at2, by2);
  while (step(layout));
}

/** Copies bytes from one place to another. */
export function move(out: usize, a: usize, bytes: i32): void {
  memory.copy(out, a, bytes);
}

function chosen<T>(n: i32, out: usize, when: usize, a: usize, b: usize, layout: usize): void {
  do {
    for (let i = 0; i < n; i++) {
      const from = load<u8>(at1 + i * by1) ? at2 + i * by2 : at3 + i * by3;
      store<T>(at0 + i * by0, load<T>(from));
    }
  } while (step(layout));
}

/** Takes each element from one of two arrays. */
export function choose(
  size: i32,
  out: usize,
  when: usize,
  a: usize,
  b: usize,
  layout: usize,
): void {
  const n = begin(layout, out, when, a, b);
  if (n == 0) return;
  if (size == 1) chosen<u8>(n, out, when, a, b, layout);
  else chosen<u64>(n, out, when, a, b, layout);
}

/** Counts from a start in steps. */
export function count(kind: i32, out: usize, n: i32, start: f64, by: f64): void {
  for (let i = 0; i < n; i++) {
    if (kind == 1) store<i64>(out + (i << 3), <i64>start + <i64>i * <i64>by);
    else store<f64>(out + (i << 3), start + <f64>i * by);
  }
}

function total<A, R>(a: usize, n: i32, by: i32): R {
  let found: R = <R>load<A>(a);
  for (let i = 1; i < n; i++) found += <R>load<A>((a += by));
  return found;
}

function product<A, R>(a: usize, n: i32, by: i32): R {
  let found: R = <R>load<A>(a);
  for (let i = 1; i < n; i++) found *= <R>load<A>((a += by));
  return found;
}

function some<A>(wanted: bool, a: usize, n: i32, by: i32): bool {
  for (let i = 0; i < n; i++) {
    if ((load<A>(a) != 0) == wanted) return true;
    a += by;
  }
  return false;
}

/** Finds the first of the least or most elements; one that is no number comes before all. */
function farthest<A>(most: bool, a: usize, n: i32, by: i32): i32 {
  let found = 0;
  let best = load<A>(a);
  for (let i = 1; i < n && best == best; i++) {
    const x = load<A>((a += by));
    if ((most ? x > best : x < best) || x != x) {
      best = x;
      found = i;
    }
  }
  return found;
}

function fold<A>(op: i32, out: usize, a: usize, n: i32, by: i32): void {
  if (op == SUM) {
    if (isFloat<A>()) store<f64>(out, total<A, f64>(a, n, by));
    else store<i64>(out, total<A, i64>(a, n, by));
  } else if (op == PRODUCT) {
    if (isFloat<A>()) store<f64>(out, product<A, f64>(a, n, by));
    else store<i64>(out, product<A, i64>(a, n, by));
  } else if (op == ANY) store<u8>(out, some<A>(true, a, n, by) ? 1 : 0);
  else if (op == ALL) store<u8>(out, some<A>(false, a, n, by) ? 0 : 1);
  else if (op == LEAST) store<A>(out, load<A>(a + farthest<A>(false, a, n, by) * by));
  else if (op == MOST) store<A>(out, load<A>(a + farthest<A>(true, a, n, by) * by));
  else store<i64>(out, farthest<A>(op == WHERE_MOST, a, n, by));
}

/** Folds one axis of so many elements, at least one, for each place of the other axes. */
export function reduce(
  op: i32,
  kind: i32,
  out: usize,
  a: usize,
  layout: usize,
  n: i32,
  by: i32,
): void {
  const many = begin(layout, out, a, 0, 0);
  if (many == 0) return;
  do {
    for (let i = 0; i < many; i++) {
      if (kind == 0) fold<u8>(op, at0 + i * by0, at1 + i * by1, n, by);
      else if (kind == 1) fold<i64>(op, at0 + i * by0, at1 + i * by1, n, by);
      else fold<f64>(op, at0 + i * by0, at1 + i * by1, n, by);
    }
  } while (step(layout));
}

function sums<A, R>(out: usize, go: i32, a: usize, ga: i32, n: i32): void {
  let found: R = 0;
  for (let i = 0; i < n; i++) {
    found = i == 0 ? <R>load<A>(a) : found + <R>load<A>(a);
    store<R>(out, found);
    out += go;
    a += ga;
  }
}

/** Sums up along one axis, keeping every sum on the way. */
export function accumulate(
  kind: i32,
  out: usize,
  a: usize,
  layout: usize,
  n: i32,
  go: i32,
  ga: i32,
): void {
  const many = begin(layout, out, a, 0, 0);
  if (many == 0) return;
  do {
    for (let i = 0; i < many; i++) {
      if (kind == 0) sums<u8, i64>(at0 + i * by0, go, at1 + i * by1, ga, n);
      else if (kind == 1) sums<i64, i64>(at0 + i * by0, go, at1 + i * by1, ga, n);
      else sums<f64, f64>(at0 + i * by0, go, at1 + i * by1, ga, n);
    }
  } while (step(layout));
}

/** Multiplies rows with columns, (n, k) with (k, m); every sum runs from first to last. */
export function multiply(out: usize, a: usize, b: usize, n: i32, k: i32, m: i32): void {
  let i = 0;
  for (; i + 4 <= n; i += 4) fourRows(out + ((i * m) << 3), a + ((i * k) << 3), b, k, m);
  for (; i < n; i++) oneRow(out + ((i * m) << 3), a + ((i * k) << 3), b, k, m, 0);
}

function fourRows(out: usize, a: usize, b: usize, k: i32, m: i32): void {
  const wide = m << 3;
  const long = k << 3;
  const zero = f64x2.splat(0);
  let j = 0;
  for (; j + 4 <= m; j += 4) {
    let s0 = zero;
    let s1 = zero;
    let s2 = zero;
    let s3 = zero;
    let s4 = zero;
    let s5 = zero;
    let s6 = zero;
    let s7 = zero;
    let x = a;
    let y = b + (j << 3);
    for (const end = a + long; x < end; x += 8) {
      const left = v128.load(y);
      const right = v128.load(y, 16);
      const x0 = v128.load64_splat(x);
      s0 = f64x2.add(s0, f64x2.mul(x0, left));
      s1 = f64x2.add(s1, f64x2.mul(x0, right));
      const x1 = v128.load64_splat(x + long);
      s2 = f64x2.add(s2, f64x2.mul(x1, left));
      s3 = f64x2.add(s3, f64x2.mul(x1, right));
      const x2 = v128.load64_splat(x + 2 * long);
      s4 = f64x2.add(s4, f64x2.mul(x2, left));
      s5 = f64x2.add(s5, f64x2.mul(x2, right));
      const x3 = v128.load64_splat(x + 3 * long);
      s6 = f64x2.add(s6, f64x2.mul(x3, left));
      s7 = f64x2.add(s7, f64x2.mul(x3, right));
      y += wide;
    }
    const to = out + (j << 3);
    v128.store(to, s0);
    v128.store(to, s1, 16);
    v128.store(to + wide, s2);
    v128.store(to + wide, s3, 16);
    v128.store(to + 2 * wide, s4);
    v128.store(to + 2 * wide, s5, 16);
    v128.store(to + 3 * wide, s6);
    v128.store(to + 3 * wide, s7, 16);
  }
  if (j < m) for (let i = 0; i < 4; i++) oneRow(out + i * wide, a + i * long, b, k, m, j);
}

/** Multiplies one row with the columns from a first one on. */
function oneRow(out: usize, a: usize, b: usize, k: i32, m: i32, from: i32): void {
  const wide = m << 3;
  const end = a + (k << 3);
  let j = from;
  for (; j + 4 <= m; j += 4) {
    let s0 = f64x2.splat(0);
    let s1 = f64x2.splat(0);
    let y = b + (j << 3);
    for (let x = a; x < end; x += 8) {
      const x0 = v128.load64_splat(x);
      s0 = f64x2.add(s0, f64x2.mul(x0, v128.load(y)));
      s1 = f64x2.add(s1, f64x2.mul(x0, v128.load(y, 16)));
      y += wide;
    }
    v128.store(out + (j << 3), s0);
    v128.store(out + (j << 3), s1, 16);
  }
  for (; j < m; j++) store<f64>(out + (j << 3), dot<f64>(a, end, b + (j << 3), wide));
}

function dot<T>(x: usize, end: usize, y: usize, wide: i32): T {
  let found: T = 0;
  for (; x < end; x += 8) {
    found += load<T>(x) * load<T>(y);
    y += wide;
  }
  return found;
}

/** Multiplies rows with columns of whole numbers. */
export function multiplyWhole(out: usize, a: usize, b: usize, n: i32, k: i32, m: i32): void {
  for (let i = 0; i < n; i++) {
    const x = a + ((i * k) << 3);
    for (let j = 0; j < m; j++) {
      store<i64>(out, dot<i64>(x, x + (k << 3), b + (j << 3), m << 3));
      out += 8;
    }
  }
}

/** Adds up where indices point to, in bytes; says whether one points outside. */
export function point(
  out: usize,
  index: usize,
  layout: usize,
  size: i32,
  by: i32,
  first: bool,
): bool {
  const n = begin(layout, out, index, 0, 0);
  if (n == 0) return false;
  do {
    for (let i = 0; i < n; i++) {
      const x = load<i64>(at1 + i * by1);
      const place = x < 0 ? x + size : x;
      if (place < 0 || place >= <i64>size) return true;
      const to = at0 + i * by0;
      store<i32>(to, (first ? 0 : load<i32>(to)) + <i32>place * by);
    }
  } while (step(layout));
  return false;
}

function line<T>(out: usize, go: i32, a: usize, ga: i32, n: i32): void {
  if (n == 1) store<T>(out, load<T>(a));
  else if (n > 32 && go == sizeof<T>() && ga == sizeof<T>()) {
    memory.copy(out, a, n * sizeof<T>());
  } else {
    for (let i = 0; i < n; i++) {
      store<T>(out, load<T>(a));
      out += go;
      a += ga;
    }
  }
}

/** Gathers from places: for each of some outer ones and each that is pointed to, a line. */
export function gather(
  size: i32,
  out: usize,
  a: usize,
  places: usize,
  n: i32,
  outer: i32,
  byOuter: i32,
  inner: i32,
  byInner: i32,
): void {
  for (let o = 0; o < outer; o++) {
    for (let i = 0; i < n; i++) {
      const from = a + load<i32>(places + (i << 2));
      if (size == 1) line<u8>(out, 1, from, byInner, inner);
      else line<u64>(out, 8, from, byInner, inner);
      out += inner * size;
    }
    a += byOuter;
  }
}

function either(out: usize, go: i32, a: usize, ga: i32, n: i32): void {
  for (let i = 0; i < n; i++) {
    store<u8>(out, load<u8>(out) | load<u8>(a));
    out += go;
    a += ga;
  }
}

function added<T>(out: usize, go: i32, a: usize, ga: i32, n: i32): void {
  for (let i = 0; i < n; i++) {
    store<T>(out, load<T>(out) + load<T>(a));
    out += go;
    a += ga;
  }
}

/** Puts values, in order or one for all, to where `gather` would take them from, or adds them. */
export function scatter(
  kind: i32,
  adds: bool,
  to: usize,
  places: usize,
  n: i32,
  outer: i32,
  byOuter: i32,
  inner: i32,
  byInner: i32,
  values: usize,
  byValue: i32,
): void {
  for (let o = 0; o < outer; o++) {
    for (let i = 0; i < n; i++) {
      const out = to + load<i32>(places + (i << 2));
      if (kind == 0 && adds) either(out, byInner, values, byValue, inner);
      else if (kind == 0) line<u8>(out, byInner, values, byValue, inner);
      else if (!adds) line<u64>(out, byInner, values, byValue, inner);
      else if (kind == 1) added<i64>(out, byInner, values, byValue, inner);
      else added<f64>(out, byInner, values, byValue, inner);
      values += inner * byValue;
    }
    to += byOuter;
  }
}

/** Takes, for each index, the element of an axis that it names; says whether one is outside. */
export function takeAlong(
  size: i32,
  out: usize,
  a: usize,
  index: usize,
  layout: usize,
  many: i32,
  by: i32,
): bool {
  const n = begin(layout, out, a, index, 0);
  if (n == 0) return false;
  do {
    for (let i = 0; i < n; i++) {
      const x = load<i64>(at2 + i * by2);
      const place = x < 0 ? x + many : x;
      if (place < 0 || place >= <i64>many) return true;
      const from = at1 + i * by1 + <i32>place * by;
      if (size == 1) store<u8>(at0 + i * by0, load<u8>(from));
      else store<u64>(at0 + i * by0, load<u64>(from));
    }
  } while (step(layout));
  return false;
}

/** Puts values where `takeAlong` would take them from. */
export function putAlong(
  size: i32,
  to: usize,
  index: usize,
  values: usize,
  layout: usize,
  many: i32,
  by: i32,
): bool {
  const n = begin(layout, to, index, values, 0);
  if (n == 0) return false;
  do {
    for (let i = 0; i < n; i++) {
      const x = load<i64>(at1 + i * by1);
      const place = x < 0 ? x + many : x;
      if (place < 0 || place >= <i64>many) return true;
      const out = at0 + i * by0 + <i32>place * by;
      if (size == 1) store<u8>(out, load<u8>(at2 + i * by2));
      else store<u64>(out, load<u64>(at2 + i * by2));
    }
  } while (step(layout));
  return false;
}

function isThere(kind: i32, a: usize, i: i32): bool {
  if (kind == 0) return load<u8>(a + i) != 0;
  if (kind == 1) return load<i64>(a + (i << 3)) != 0;
  return load<f64>(a + (i << 3)) != 0;
}

/** Counts what is not zero. */
export function there(kind: i32, a: usize, n: i32): i32 {
  let found = 0;
  for (let i = 0; i < n; i++) if (isThere(kind, a, i)) found++;
  return found;
}

/** Lists where something is not zero. */
export function whereThere(kind: i32, out: usize, a: usize, n: i32): void {
  for (let i = 0; i < n; i++) {
    if (!isThere(kind, a, i)) continue;
    store<i64>(out, i);
    out += 8;
  }
}

/** Tells one axis of places that are counted through. */
export function unravel(out: usize, places: usize, n: i32, by: i32, size: i32): void {
  for (let i = 0; i < n; i++) {
    store<i64>(out + (i << 3), (load<i64>(places + (i << 3)) / <i64>by) % <i64>size);
  }
}

/** Repeats each line of bytes so many times. */
export function repeat(out: usize, a: usize, bytes: i32, n: i32, counts: usize, by: i32): void {
  for (let i = 0; i < n; i++) {
    for (let left = load<i64>(counts + i * by); left > 0; left--) {
      if (bytes == 8) store<u64>(out, load<u64>(a));
      else memory.copy(out, a, bytes);
      out += bytes;
    }
    a += bytes;
  }
}

/** Says whether one element comes before another; what is no number comes last. */
function before<T>(x: T, y: T): bool {
  return x < y || (y != y && x == x);
}

function key<T>(keys: usize, order: usize, i: i32): T {
  return load<T>(keys + ((<usize>load<i64>(order + (i << 3))) << 3));
}

const SHORT: i32 = 12;

/** Sorts a short part of an order by insertion. */
function insert<T>(order: usize, keys: usize, from: i32, to: i32): void {
  for (let i = from + 1; i < to; i++) {
    const place = load<i64>(order + (i << 3));
    const x = load<T>(keys + ((<usize>place) << 3));
    let j = i;
    for (; j > from && before<T>(x, key<T>(keys, order, j - 1)); j--) {
      store<i64>(order + (j << 3), load<i64>(order + ((j - 1) << 3)));
    }
    store<i64>(order + (j << 3), place);
  }
}

/** Merges two sorted parts; of equal elements the earlier one stays first. */
function merge<T>(out: usize, order: usize, keys: usize, from: i32, middle: i32, to: i32): void {
  let i = from;
  let j = middle;
  for (let n = from; n < to; n++) {
    const later =
      i >= middle || (j < to && before<T>(key<T>(keys, order, j), key<T>(keys, order, i)));
    store<i64>(out + (n << 3), load<i64>(order + ((later ? j++ : i++) << 3)));
  }
}

function sorted<T>(order: usize, keys: usize, n: i32, room: usize): void {
  for (let i = 0; i < n; i++) store<i64>(order + (i << 3), i);
  for (let i = 0; i < n; i += SHORT) insert<T>(order, keys, i, min<i32>(i + SHORT, n));
  let from = order;
  let to = room;
  for (let wide = SHORT; wide < n; wide *= 2) {
    for (let i = 0; i < n; i += 2 * wide) {
      merge<T>(to, from, keys, i, min<i32>(i + wide, n), min<i32>(i + 2 * wide, n));
    }
    const other = from;
    from = to;
    to = other;
  }
  if (from != order) memory.copy(order, from, n << 3);
}

/** Finds the order of each row that sorts it, equal elements as they stand. */
export function sort(kind: i32, out: usize, a: usize, rows: i32, n: i32, room: usize): void {
  for (let i = 0; i < rows; i++) {
    if (kind == 1) sorted<i64>(out, a, n, room);
    else sorted<f64>(out, a, n, room);
    out += n << 3;
    a += n << 3;
  }
}

function found<T>(a: usize, n: i32, x: T, right: bool): i32 {
  let from = 0;
  let to = n;
  while (from < to) {
    const middle = (from + to) >> 1;
    const y = load<T>(a + (middle << 3));
    if (before<T>(y, x) || (right && !before<T>(x, y))) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Finds where values belong in a sorted row. */
export function search(
  kind: i32,
  out: usize,
  a: usize,
  n: i32,
  values: usize,
  many: i32,
  right: bool,
): void {
  for (let i = 0; i < many; i++) {
    const at = values + (i << 3);
    const place =
      kind == 1 ? found<i64>(a, n, load<i64>(at), right) : found<f64>(a, n, load<f64>(at), right);
    store<i64>(out + (i << 3), place);
  }
}

/** Lists where each different element first stands, and for all which of these they are. */
export function distinct(
  kind: i32,
  first: usize,
  back: usize,
  order: usize,
  a: usize,
  n: i32,
): i32 {
  let many = 0;
  for (let i = 0; i < n; i++) {
    const place = load<i64>(order + (i << 3));
    const isNew =
      i == 0 ||
      (kind == 1
        ? key<i64>(a, order, i) != key<i64>(a, order, i - 1)
        : key<f64>(a, order, i) != key<f64>(a, order, i - 1));
    if (isNew) store<i64>(first + (many++ << 3), place);
    store<i64>(back + ((<usize>place) << 3), many - 1);
  }
  return many;
}

/** Counts how often each number occurs, or sums what each occurrence weighs. */
export function tally(out: usize, a: usize, n: i32, weights: usize): void {
  for (let i = 0; i < n; i++) {
    const to = out + ((<usize>load<i64>(a + (i << 3))) << 3);
    if (weights == 0) store<i64>(to, load<i64>(to) + 1);
    else store<f64>(to, load<f64>(to) + load<f64>(weights + (i << 3)));
  }
}

function group<T>(out: usize, a: usize, from: i32, to: i32, wide: i32): void {
  memory.copy(out, a + ((from * wide) << 3), wide << 3);
  for (let i = from + 1; i < to; i++) added<T>(out, 8, a + ((i * wide) << 3), 8, wide);
}

/** Sums groups of neighbouring rows, each up to where the next one begins. */
export function groups(
  kind: i32,
  out: usize,
  a: usize,
  n: i32,
  wide: i32,
  starts: usize,
  many: i32,
): void {
  for (let i = 0; i < many; i++) {
    const from = <i32>load<i64>(starts + (i << 3));
    const next = i + 1 < many ? <i32>load<i64>(starts + ((i + 1) << 3)) : n;
    const to = max<i32>(next, from + 1);
    if (kind == 1) group<i64>(out, a, from, to, wide);
    else group<f64>(out, a, from, to, wide);
    out += wide << 3;
  }
}
