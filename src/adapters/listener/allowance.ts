// How often something may happen: a few times at once, and then so often per second. Whoever asks for more is told so, and
// nothing waits.

type Rate = { readonly atOnce: number; readonly perSecond: number };

/** False: too often, and nothing was used up. */
export function allowanceOf({ atOnce, perSecond }: Rate, nowMs: () => number): (times: number) => boolean {
  let left = atOnce;
  let lookedMs = nowMs();
  return (times) => {
    const now = nowMs();
    left = Math.min(atOnce, left + ((now - lookedMs) / 1000) * perSecond);
    lookedMs = now;
    if (times > left) return false;
    left -= times;
    return true;
  };
}
