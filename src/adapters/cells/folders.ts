// The folders of one cell on the host. What the cell may write is its own user's; everything above belongs to us, so
// that nothing that is bound into a cell can be exchanged under our hands.
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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

export async function makeFolders(
  root: string,
  participant: string,
  view: Readonly<Record<string, Uint8Array | string>>,
  user: User | undefined,
): Promise<Folders> {
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
  await mkdir(root, { mode: 0o710 });
  if (user !== undefined) await chown(root, 0, user.gid);
  await mkdir(at('home'), { mode: 0o711 });
  for (const path of [folders.project, folders.shared, folders.home, folders.keep]) {
    await mkdir(path, { mode: 0o700 });
    if (user !== undefined) await chown(path, user.uid, user.gid);
  }
  await mkdir(folders.view, { mode: 0o755 });
  for (const [name, content] of Object.entries(view)) await writeFile(join(folders.view, name), content, READABLE);
  await writeFile(join(folders.view, 'port'), PORT_CLIENT, { mode: 0o555, flag: 'wx' });
  await makeEtc(folders.etc, participant, user);
  return folders;
}

const READABLE = { mode: 0o444, flag: 'wx' } as const;

async function makeEtc(etc: string, participant: string, user: User | undefined): Promise<void> {
  const { uid, gid } = user ?? { uid: process.getuid!(), gid: process.getgid!() };
  await mkdir(etc, { mode: 0o755 });
  const files = {
    passwd: `${participant}:x:${uid}:${gid}::/cell/home/${participant}:/bin/sh\n`,
    group: `${participant}:x:${gid}:\n`,
    hosts: '127.0.0.1 localhost\n::1 localhost\n',
    'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(etc, name), text, READABLE);
  // Places for the few files of the host's /etc that are bound over these.
  for (const path of SYSTEM_FILES) {
    const place = join(etc, path.slice('/etc/'.length));
    if (path.endsWith('.cache')) await writeFile(place, '', READABLE);
    else await mkdir(place, { recursive: true, mode: 0o755 });
  }
}
