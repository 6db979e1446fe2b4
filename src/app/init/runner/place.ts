// Where everything of a supervisor is on a machine: by the name of its user alone.

export type Place = {
  readonly user: string;
  /** Whose members may ask. */
  readonly group: string;
  readonly home: string;
  readonly config: string;
  readonly folder: string;
  readonly socket: string;
  readonly unit: string;
  readonly unitFile: string;
};

export function placeOf(user: string): Place {
  const unit = `${user}-supervisor.service`;
  return {
    user,
    group: `${user}-jobs`,
    // Not what root's own cells lie in.
    home: `/var/lib/${user}-supervisor`,
    config: `/etc/${user}/supervisor.yml`,
    folder: `/run/${user}`,
    socket: `/run/${user}/supervisor.sock`,
    unit,
    unitFile: `/etc/systemd/system/${unit}`,
  };
}
