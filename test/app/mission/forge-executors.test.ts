import { forgeEffectsContract } from '../../contract/forge-effects.ts';
import { directoryHost, memoryHost } from '../../support/forge-hosts.ts';

forgeEffectsContract('in memory', memoryHost);
forgeEffectsContract('in a plain folder', directoryHost);
