// Every attack, in the order of the table.
import type { Attack } from '../../../support/forge/attack.ts';
import { CANCEL } from './cancel.ts';
import { CAUSED } from './caused.ts';
import { CAUSES } from './causes.ts';
import { CELLS } from './cells.ts';
import { COMMIT } from './commit.ts';
import { COURSE } from './course.ts';
import { COURSE_WORK } from './course-work.ts';
import { EVENT } from './event.ts';
import { HEARD } from './heard.ts';
import { HISTORY } from './history.ts';
import { HOLD } from './hold.ts';
import { IDENTITY } from './identity.ts';
import { PEOPLE } from './people.ts';
import { PLACE } from './place.ts';
import { REPAIR } from './repair.ts';
import { ROSTER } from './roster.ts';
import { SIGNATURE } from './signature.ts';
import { SIGNER } from './signer.ts';
import { STEPS } from './steps.ts';
import { TIME } from './time.ts';
import { TREE } from './tree.ts';
import { TWO_LOGS } from './two-logs.ts';

export const CHAPTERS: Readonly<Record<string, readonly Attack[]>> = {
  'Order of transactions': HISTORY,
  'Which ledger this is': IDENTITY,
  'Content under a root': TREE,
  'Bytes of an event': EVENT,
  'The commit around it': COMMIT,
  'The signature': SIGNATURE,
  'What a member may do': SIGNER,
  'What people agreed to': COURSE,
  'What came in': HEARD,
  'Who asks and who agrees': PEOPLE,
  'Calling it off': CANCEL,
  'Holding it': HOLD,
  'What follows from it': COURSE_WORK,
  'Steps of a mission': STEPS,
  'What ran in which cell': CELLS,
  'What is caused and said of it': CAUSED,
  'Why it happened': CAUSES,
  'What time it is': TIME,
  'Who counts': ROSTER,
  'Garbage and repair': REPAIR,
  'Two logs': TWO_LOGS,
  'The repository itself': PLACE,
};

export const ATTACKS: readonly Attack[] = Object.values(CHAPTERS).flat();
