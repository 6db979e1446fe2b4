// The folders of one cell on the host. What the cell may write is its own user's; everything above belongs to us, so
// that nothing that is bound into a cell can be exchanged under our hands.
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PORT_CLIENT } from './client.ts';
import { SYSTEM_FILES } from './process/bubblewrap.ts';

export type User = { readonly uid: number; readonly gid: number };

export type Folders = {
  readonly root: string;
  /** Written by the cell. */
  readonly project: string;
  readonly shared: string;
  readonly home: string;
  /** Written by our own steps inside a sandbox, never seen by the participant. */
  readonly keep: string;
  /** Written by us, read-only inside. */
  readonly view: string;
  readonly etc: string;
};

type Furniture = {
  /** Read-only beside the project. */
  readonly view: Readonly<Record<string, Uint8Array | string>>;
  /** The participant's from the beginning. */
  readonly home: Readonly<Record<string, string>>;
};

/** Two dozen small calls: waiting for a thread each time would take longer than all of them. */
export function makeFolders(
  root: string,
  participant: string,
  { view, home }: Furniture,
  user: User | undefined,
): Folders {
  const at = (name: string): string => join(root, name);
  const folders: Folders = {
    root,
    project: at('project'),
    shared: at('shared'),
    home: at(join('home', participant)),
    keep: at('keep'),
    view: at('.lazarus'),
    etc: at('etc'),
  };
  // Passable for the cell's group alone, not for the other users of this machine.
  mkdirSync(root, { mode: 0o710 });
  if (user !== undefined) chownSync(root, 0, user.gid);
  mkdirSync(at('home'), { mode: 0o711 });
  for (const path of [folders.project, folders.shared, folders.home, folders.keep]) {
    mkdirSync(path, { mode: 0o700 });
    if (user !== undefined) chownSync(path, user.uid, user.gid);
  }
  furnish(folders.home, home, user);
  mkdirSync(folders.view, { mode: 0o755 });
  for (const [name, content] of Object.entries(view)) writeFileSync(join(folders.view, name), content, READABLE);
  writeFileSync(join(folders.view, 'port'), PORT_CLIENT, { mode: 0o555, flag: 'wx' });
  makeEtc(folders.etc, participant, user);
  return folders;
}

/** Nobody of the cell runs yet, and the folder was empty: there is no link to be led astray by. */
function furnish(folder: string, files: Readonly<Record<string, string>>, user: User | undefined): void {
  const own = (path: string): void => {
    if (user !== undefined) chownSync(path, user.uid, user.gid);
  };
  for (const [name, text] of Object.entries(files)) {
    const steps = dirname(name)
      .split('/')
      .filter((step) => step !== '.');
    for (const [i] of steps.entries()) {
      const path = join(folder, ...steps.slice(0, i + 1));
      mkdirSync(path, { recursive: true, mode: 0o700 });
      own(path);
    }
    writeFileSync(join(folder, name), text, { mode: 0o600, flag: 'wx' });
    own(join(folder, name));
  }
}

const READABLE = { mode: 0o444, flag: 'wx' } as const;

function makeEtc(etc: string, participant: string, user: User | undefined): void {
  const { uid, gid } = user ?? { uid: process.getuid!(), gid: process.getgid!() };
  mkdirSync(etc, { mode: 0o755 });
  const files = {
    passwd: `${participant}:x:${uid}:${gid}::/cell/home/${participant}:/bin/sh\n`,
    group: `${participant}:x:${gid}:\n`,
    hosts: '127.0.0.1 localhost\n::1 localhost\n',
    'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(etc, name), text, READABLE);
  // Places for the few files of the host's /etc that are bound over these.
  for (const path of SYSTEM_FILES) {
    const place = join(etc, path.slice('/etc/'.length));
    if (path.endsWith('.cache')) writeFileSync(place, '', READABLE);
    else mkdirSync(place, { recursive: true, mode: 0o755 });
  }
}
