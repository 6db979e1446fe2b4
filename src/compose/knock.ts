// What a job needs to speak to the supervisor of its machine, and nothing else.
export { isDoor, knock } from '../adapters/door/knock.ts';
