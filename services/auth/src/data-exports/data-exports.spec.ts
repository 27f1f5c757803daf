import { randomUUID } from 'node:crypto';
import { DataExportMail } from '@meetmark/contracts';
import { updateRow } from '@meetmark/testing/factories/users';
import { ClosingService } from '../accounts/closing.service.js';
import { memberForTests } from '../testing/administration.js';
import { authForTests, createCall, refuses } from '../testing/open-auth.js';
import { DataExportsService } from './data-exports.service.js';

describe('the data exports service', () => {
  const auth = authForTests();
  const [ada, grace] = [memberForTests(auth), memberForTests(auth)];

  const exports = () => auth.get(DataExportsService);
  const request = (user = ada) => exports().request({ account: 'a'.repeat(22) }, createCall(user));
  const get = (user = ada) => exports().get({}, createCall(user));
  const getPart = (exportId: string, user = ada, number = 0) =>
    exports().getPart({ exportId, number }, createCall(user));
  const finish = async (id: string, ...texts: string[]) => {
    const attempt = randomUUID();
    await updateRow(auth.owner, 'auth.data_exports', id, { attempt, readyAt: new Date(), size: 1 });
    const written = [...texts.map((text) => [attempt, text]), [randomUUID(), 'of a killed worker']];
    for (const [at, [by, text]] of written.entries())
      await auth.owner.query('INSERT INTO auth.data_export_parts VALUES ($1, $2, $3, $4)', [
        ...[id, by, at % texts.length],
        Buffer.from(text!),
      ]);
  };
  const expire = (id: string) =>
    updateRow(auth.owner, 'auth.data_exports', id, { expiresAt: new Date(Date.now() - 1) });

  it('starts one export for concurrent and repeated requests', async () => {
    expect(await get()).toBeNull();
    const [first, ...others] = await Promise.all(Array.from({ length: 4 }, () => request()));
    expect(others).toEqual([first, first, first]);
    expect(first).toMatchObject({ readyAt: null, size: null });
    await finish(first!.id, 'ZIP');
    expect(await request()).toEqual(await get());
    expect(await get()).toMatchObject({ id: first!.id, readyAt: expect.any(String), size: 1 });
    expect(await auth.outbox(DataExportMail)).toEqual([{ userId: ada.id, exportId: first!.id }]);
  });

  it('starts another export once the first has expired', async () => {
    const { id } = await request();
    await expire(id);
    expect(await get()).toBeNull();
    expect((await request()).id).not.toBe(id);
    expect(await auth.outbox(DataExportMail)).toHaveLength(2);
  });

  it('returns the parts of a ready export to its own account only', async () => {
    const { id } = await request();
    await refuses('DATA_EXPORT_NOT_FOUND', getPart(id));
    await finish(id, 'one', 'two');
    const decode = ({ base64 }: { base64: string }) => Buffer.from(base64, 'base64').toString();
    expect([decode(await getPart(id)), decode(await getPart(id, ada, 1))]).toEqual(['one', 'two']);
    await refuses('DATA_EXPORT_NOT_FOUND', getPart(id, ada, 2));
    await refuses('DATA_EXPORT_NOT_FOUND', getPart(id, grace));
    expect(await get(grace)).toBeNull();
    await expire(id);
    await refuses('DATA_EXPORT_NOT_FOUND', getPart(id));
  });

  it('refuses a request of a session that has ended', async () => {
    await refuses(
      'UNAUTHORIZED',
      exports().request({ account: 'a'.repeat(22) }, createCall({ id: ada.id, epoch: 2 })),
    );
  });

  it.each([
    ['closed', () => auth.get(ClosingService).close({}, createCall(ada)), 1],
    ['deleted', () => auth.owner.query('DELETE FROM auth.users WHERE id = $1', [ada.id]), 0],
  ])('deletes the export when the account is %s', async (_, end, jobs) => {
    const { id } = await request();
    await finish(id, 'ZIP');
    await end();
    expect(await auth.rows('SELECT FROM auth.data_exports')).toEqual([]);
    expect(await auth.rows('SELECT FROM auth.data_export_parts')).toEqual([]);
    expect(await auth.outbox(DataExportMail)).toHaveLength(jobs);
  });
});
