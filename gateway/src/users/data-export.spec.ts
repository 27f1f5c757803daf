import {
  DATA_EXPORT,
  type DataExport,
  DomainError,
  type ErrorBody,
  GetDataExport,
  GetDataExportPart,
  RequestDataExport,
} from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { gatewayForTests, growOld } from '../testing/open-test-gateway.js';

const AT = '2027-01-02T03:04:05.000Z';
const FILE = '/api/user/export/file';
/** Two whole parts and a short one. */
const BYTES = Buffer.alloc(2 * DATA_EXPORT.partBytes + 5, 'ZIP');
const pending: DataExport = {
  ...{ id: '0197f000-0000-7000-8000-000000000001', requestedAt: AT, expiresAt: AT },
  ...{ readyAt: null, size: null },
};
const ready = { ...pending, readyAt: AT, size: BYTES.length };

describe('the download of a member’s data', () => {
  const present = new Map<string, DataExport>();
  const accounts: string[] = [];
  const stack = gatewayForTests({
    auth: scenes(
      played(RequestDataExport, ({ account }, { identity }) => {
        accounts.push(account);
        present.set(identity!.sub, pending);
        return pending;
      }),
      played(GetDataExport, (_, { identity }) => present.get(identity!.sub) ?? null),
      played(GetDataExportPart, ({ exportId, number }, { identity }) => {
        if (present.get(identity!.sub)?.id !== exportId) throw new DomainError('DATA_EXPORT_NOT_FOUND');
        const from = number * DATA_EXPORT.partBytes;
        return { base64: BYTES.subarray(from, from + DATA_EXPORT.partBytes).toString('base64') };
      }),
    ),
  });
  const refused = { status: 404, body: { code: 'DATA_EXPORT_NOT_FOUND' } };

  it('can be requested after a recent sign-in', async () => {
    const { browser, user } = await stack.signedIn();
    expect(await browser.get('/api/user/export')).toMatchObject({ status: 200, body: null });
    expect(await browser.post('/api/user/export')).toMatchObject({ status: 202, body: pending });
    expect(await browser.get('/api/user/export')).toMatchObject({ status: 200, body: pending });
    expect(accounts).toEqual([expect.stringMatching(/^[\w-]{22}$/)]);
    await growOld(stack, user, 'sensitive');
    const late = await browser.post<ErrorBody>('/api/user/export');
    expect([late.status, late.body.code]).toEqual([403, 'FRESH_SIGN_IN_REQUIRED']);
  });

  it('sends all parts as a private attachment', async () => {
    const { browser, user } = await stack.signedIn();
    present.set(user.id, ready);
    const { status, headers, text } = await browser.get(FILE);
    expect([status, text]).toEqual([200, BYTES.toString()]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="my-data.zip"',
      'content-length': String(BYTES.length),
      'cache-control': 'no-store',
    });
  });

  it('is refused before it is ready, to other accounts and to visitors', async () => {
    const { browser, user } = await stack.signedIn();
    present.set(user.id, pending);
    expect(await browser.get(FILE)).toMatchObject(refused);
    present.set(user.id, ready);
    expect(await (await stack.signedIn()).browser.get(FILE)).toMatchObject(refused);
    expect((await stack.browser().get(FILE)).status).toBe(401);
  });
});
