// Every row, in the order of the table.
import type { Row } from '../row.ts';
import { answer } from './answer.ts';
import { approvedToDone } from './approved.ts';
import { appendBatched, appendSingle } from './append-local.ts';
import { appendCold } from './append-cold.ts';
import { appendWarm } from './append-remote.ts';
import { checkProof } from './bundle.ts';
import { cellSpawn } from './cell.ts';
import { plainComment } from './comment.ts';
import { clientHook } from './client-hook.ts';
import { contention } from './contention.ts';
import { credentialRoute } from './route.ts';
import { egress } from './egress.ts';
import { flatCost } from './flat.ts';
import { freedPath } from './freed.ts';
import { gate } from './gate.ts';
import { gateOfMany } from './gate-of-many.ts';
import { governedWrite } from './governed.ts';
import { help } from './help.ts';
import { idleCell, manyCells } from './many-cells.ts';
import { manyMissions } from './many-missions.ts';
import { registering } from './missions.ts';
import { preparedEnvironment } from './prepared.ts';
import { reconciling } from './reconcile.ts';
import { statusOfLong } from './status.ts';
import { verifyOneEach, verifySignatures, verifyTenEach, verifyTwoCores } from './verify.ts';

export const ROWS: readonly Row[] = [
  verifyOneEach,
  verifyTenEach,
  verifyTwoCores,
  verifySignatures,
  appendBatched,
  appendSingle,
  appendWarm,
  appendCold,
  flatCost,
  registering,
  manyMissions,
  governedWrite,
  checkProof,
  help,
  statusOfLong,
  clientHook,
  plainComment,
  gate,
  gateOfMany,
  reconciling,
  answer,
  approvedToDone,
  freedPath,
  cellSpawn,
  manyCells,
  idleCell,
  credentialRoute,
  egress,
  preparedEnvironment,
  contention,
];
