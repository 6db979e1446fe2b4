// How far apart two instants are, computed from their text. Knows no clock.

export const MINUTE_SECONDS = 60;
export const HOUR_SECONDS = 60 * MINUTE_SECONDS;
export const DAY_SECONDS = 24 * HOUR_SECONDS;

/** Whole seconds from one instant to another; negative where the other is the earlier one. Pure code has no Date. */
export function secondsBetween(from: string, to: string): number {
  return secondsOf(to) - secondsOf(from);
}

function secondsOf(instant: string): number {
  const [year, month, day, hour, minute, second] = instant.split(/\D/).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  // Days since 0000-03-01, so that the leap day is the last of its year.
  const y = month > 2 ? year : year - 1;
  const m = (month + 9) % 12;
  const days = 365 * y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + Math.floor((153 * m + 2) / 5);
  return (((days + day) * 24 + hour) * 60 + minute) * 60 + second;
}
