import { SHORT_SELECTION } from '@meetmark/bench/faults/faults';
import { Rig } from '@meetmark/bench/faults/rig';
import { tryFault } from '@meetmark/bench/faults/trial';

describe('A Meetmark installation under load survives', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await Rig.start();
  }, 120_000);
  afterAll(() => rig.stop(), 60_000);

  it.each(SHORT_SELECTION.map((fault) => [fault.id, fault.title, fault] as const))(
    '%s: %s',
    async (_id, _title, fault) => {
      const { broken } = await tryFault(rig, fault, { thorough: false, patient: true });
      expect(broken).toEqual([]);
    },
    240_000,
  );
});
