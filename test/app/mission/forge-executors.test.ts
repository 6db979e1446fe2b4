import { forgeEffectsContract } from '../../contract/forge-effects.ts';
import { directoryHost } from '../../support/forge-hosts.ts';

forgeEffectsContract('in a plain folder', directoryHost);
