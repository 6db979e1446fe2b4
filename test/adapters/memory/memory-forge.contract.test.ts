import { forgeContract } from '../../contract/forge.ts';
import { memoryHost } from '../../support/forge-hosts.ts';

forgeContract('in memory', memoryHost);
