// The built program with some of its text replaced: as somebody could leave it installed, or as an earlier version was.
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CLI_MAIN } from './build.ts';
import { scratch } from './repos.ts';

/** Answers with its main file. Each text has to stand somewhere in it. */
export function alteredProgram(
  replaced: readonly (readonly [own: string, altered: string])[],
  actionComment?: string,
): string {
  const [folder, root] = [scratch('program'), join(dirname(CLI_MAIN), '../../..')];
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
  for (const name of ['node_modules', 'package.json', 'templates', 'action.yml'])
    symlinkSync(join(root, name), join(folder, name));
  const program = join(folder, 'dist/surfaces/cli');
  const parts = readdirSync(program).filter((name) => name.startsWith('part-'));
  for (const [own, altered] of replaced) {
    const holding = parts.filter((name) => readFileSync(join(program, name), 'utf8').includes(own));
    if (holding.length === 0) throw new Error(`nowhere in the program: ${own}`);
    for (const name of holding) {
      const text = readFileSync(join(program, name), 'utf8');
      writeFileSync(
        join(program, name),
        text.replaceAll(own, () => altered),
      );
    }
  }
  if (actionComment !== undefined) {
    const description = join(folder, 'dist/action/action.yml');
    writeFileSync(description, `# ${actionComment}\n${readFileSync(description, 'utf8')}`);
  }
  return join(program, 'main.js');
}
