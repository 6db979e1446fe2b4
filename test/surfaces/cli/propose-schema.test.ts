// `lazarus propose --schema` tells an editor what the parser of this very version takes, outside every repository too.
import { expect, it } from 'vitest';
import { missionSchemaText } from '../../../src/documents/mission-file.ts';
import { lazarus } from '../../support/cli.ts';
import { scratch } from '../../support/repos.ts';

it('prints the schema that follows from the parser', async () => {
  const { code, stdout } = await lazarus(['propose', '--schema'], { cwd: scratch() });
  expect({ code, stdout }).toEqual({ code: 0, stdout: missionSchemaText() });
});
