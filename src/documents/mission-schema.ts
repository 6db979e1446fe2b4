// The JSON Schema of mission.yaml, for editors that complete and check while somebody types. Says less than the parser:
// what only a rule can tell is left to it.
import { z } from 'zod';
import { MissionFile } from './mission-file.ts';

export function missionSchemaText(): string {
  const schema = z.toJSONSchema(MissionFile, { io: 'input', target: 'draft-07' });
  return `${JSON.stringify({ ...schema, title: 'lazarus mission' }, null, 2)}\n`;
}
