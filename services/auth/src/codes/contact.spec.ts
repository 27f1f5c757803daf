import { type Asker, CODE, CodeMail } from '@meetmark/contracts';
import { codes } from '@meetmark/testing';
import { insertUser } from '@meetmark/testing/factories/users';
import { anAsker, authForTests, mailedTo, nobody } from '../testing/open-auth.js';
import { CodesService } from './codes.service.js';

const EMAIL = 'vera@example.com';
const EVENT = '0197f000-0000-7000-8000-00000000000a';

describe('a code with which a visitor writes to a host', () => {
  const auth = authForTests();
  let service: CodesService;
  let browser: Asker;
  beforeEach(() => {
    service = auth.get(CodesService);
    browser = anAsker();
  });

  const ask = async (email = EMAIL, asker = browser) => {
    const { flow } = await service.requestContact({ email, eventId: EVENT, asker });
    return { flow, code: (await mailedTo(email, auth)).code ?? '', asker };
  };
  const proved = async () => (await auth.owner.query('SELECT * FROM auth.proved_contact')).rows;

  it('proves the address for that event, and makes no account', async () => {
    const asked = await ask();
    expect(await proved()).toEqual([]);
    const { proof } = await service.confirmContact(asked);
    expect(await proved()).toEqual([{ id: proof, event_id: EVENT, email: EMAIL }]);
    expect((await auth.owner.query('SELECT FROM auth.users')).rowCount).toBe(0);
  });

  it('is the same work and the same answer, whether or not the address has an account', async () => {
    await insertUser(auth.owner, { email: EMAIL });
    const work = (email: string) =>
      auth.statements(() =>
        service.requestContact({ email, eventId: EVENT, asker: anAsker() }).then(() => undefined),
      );
    const known = await work(EMAIL);
    expect(await work('nobody@example.com')).toEqual(known);
    expect(await auth.outbox(CodeMail)).toHaveLength(2);
  });

  it('can be sent again while it lives, in its browser alone, and five wrong tries end it', async () => {
    const asked = await ask();
    const once = await service.confirmContact(asked);
    expect(await service.confirmContact(asked)).toEqual(once);
    const other = await ask('otto@example.com');
    const wrong = { ...other, code: other.code === '000000' ? '000001' : '000000' };
    const tries = [{ ...other, asker: anAsker() }, ...Array<typeof wrong>(CODE.tries).fill(wrong), other];
    for (const each of tries) expect(await codes([service.confirmContact(each)])).toEqual(['CODE_INVALID']);
    await auth.owner.query(`UPDATE auth.code_flows SET expires_at = now() - interval '1 second'`);
    expect(await codes([service.confirmContact(asked)])).toEqual(['CODE_INVALID']);
  });

  it('gives way to a newer one of the browser', async () => {
    const first = await ask();
    const second = await ask();
    expect(await codes([service.confirmContact(first)])).toEqual(['CODE_INVALID']);
    expect(await codes([service.confirmContact(second)])).toEqual(['ok']);
  });

  it('signs nobody in: neither by its own link nor as another code', async () => {
    await insertUser(auth.owner, { email: EMAIL });
    const { code, flow } = await ask();
    const { link } = await mailedTo(EMAIL, auth);
    const tried = [
      service.confirmLink({ token: link }, nobody()),
      service.confirmRsvp({ flow, code, asker: browser }, nobody()),
      service.confirm({ purpose: 'sign-in', code, asker: browser }, nobody()),
      service.resetPassword(
        { email: EMAIL, token: code, newPassword: 'a new one', asker: browser },
        nobody(),
      ),
    ];
    expect(await codes(tried)).toEqual([
      'CODE_INVALID',
      'CODE_INVALID',
      'CODE_INVALID',
      'RESET_CODE_INVALID',
    ]);
  });

  it('is not mailed to an address that has had too many: there is no link that could take its place', async () => {
    for (let asked = 0; asked < CODE.openPerDay; asked += 1)
      await service.requestContact({ email: EMAIL, eventId: EVENT, asker: anAsker() });
    const before = (await auth.outbox(CodeMail)).length;
    await service.requestContact({ email: EMAIL, eventId: EVENT, asker: browser });
    expect((await auth.outbox(CodeMail)).length).toBe(before);
  });
});
