// The oldest Node that can run lazarus, and what a person on an older one reads. Imports nothing.

const FLOOR = [20, 19] as const;

export function refusalOfNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > FLOOR[0] || (major === FLOOR[0] && minor >= FLOOR[1])) return undefined;
  const needed = FLOOR.join('.');
  return `node_too_old: lazarus needs Node ${needed} or newer, and this is Node ${version}.\n  next: install Node ${needed} or newer\n`;
}
