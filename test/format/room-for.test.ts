// Parts of one piece of memory: nobody finds in theirs what somebody else has written.
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { roomFor } from '../../src/format/bytes.ts';

it('rooms are of the size that was asked for, empty, and keep what was written in them', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1200), { maxLength: 200 }), (sizes) => {
      const rooms = sizes.map((size, i) => {
        const room = roomFor(size);
        expect(room).toEqual(new Uint8Array(size));
        return room.fill((i % 255) + 1);
      });
      rooms.forEach((room, i) => expect(room).toEqual(new Uint8Array(sizes[i]!).fill((i % 255) + 1)));
    }),
  );
});
