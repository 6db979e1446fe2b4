// What lazarus asks of a clock. It is asked at the edge and its answer is carried inwards as a value.
export interface Clock {
  /** Seconds since 1970, whole. It may jump, backwards too: nothing may depend on it for order. */
  nowSeconds(): number;
}
