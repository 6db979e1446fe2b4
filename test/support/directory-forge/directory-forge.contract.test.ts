import { forgeContract } from '../../contract/forge.ts';
import { directoryHost } from '../forge-hosts.ts';

forgeContract('in a plain folder', directoryHost);
