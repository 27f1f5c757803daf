import type { LegalVersions } from '@meetmark/contracts';
import { insertUser } from '@meetmark/testing/factories/users';
import {
  anAsker,
  authForTests,
  createCall,
  memberFields,
  nobody,
  refuses,
  requestRsvp,
} from '../testing/open-auth.js';

const [FIRST, SECOND] = ['1'.repeat(64), '2'.repeat(64)];
const EMAIL = 'grace@example.com';

describe('the consents', () => {
  const auth = authForTests();
  const fetchConsents = (userId: string) =>
    auth.rows('SELECT page, version FROM auth.consents WHERE user_id = $1 ORDER BY page DESC, accepted_at', [
      userId,
    ]);
  const accept = (id: string, versions: LegalVersions) => auth.users.accept(versions, createCall({ id }));

  it('record the legal pages of the community at sign-up', async () => {
    const legal = { terms: FIRST, privacy: SECOND };
    const { user, accepted } = await auth.signIns.signUp(memberFields({ asker: { ...anAsker(), legal } }));
    expect(accepted).toEqual(legal);
    expect(await fetchConsents(user.id)).toEqual([
      { page: 'terms', version: FIRST },
      { page: 'privacy', version: SECOND },
    ]);
  });

  it('stay empty if the community has no legal pages', async () => {
    const { user, accepted } = await auth.signIns.signUp(memberFields());
    expect([accepted, await fetchConsents(user.id)]).toEqual([{}, []]);
  });

  it('record the legal pages when a registration creates the account, but not for an existing one', async () => {
    const legal = { terms: FIRST };
    const register = async (email: string) => {
      const asked = await requestRsvp(auth, { email, asker: { ...anAsker(), legal } });
      return (await auth.codes.confirmRsvp(asked, nobody())).member!;
    };
    const made = await register(EMAIL);
    expect(made.accepted).toEqual(legal);
    expect(await fetchConsents(made.user.id)).toEqual([{ page: 'terms', version: FIRST }]);
    const ada = await insertUser(auth.owner);
    expect((await register(ada.email)).accepted).toEqual({});
  });

  it('keep every accepted version and show gateways the newest', async () => {
    const { id } = await insertUser(auth.owner);
    await auth.users.get({ userId: id });
    await accept(id, { terms: FIRST });
    await accept(id, { terms: SECOND, privacy: FIRST });
    await accept(id, { terms: SECOND });
    expect((await auth.users.get({ userId: id }))?.accepted).toEqual({ terms: SECOND, privacy: FIRST });
    expect(await fetchConsents(id)).toEqual([
      { page: 'terms', version: FIRST },
      { page: 'terms', version: SECOND },
      { page: 'privacy', version: FIRST },
    ]);
  });

  it('are refused to an ended session', async () => {
    const { id } = await insertUser(auth.owner);
    await refuses('UNAUTHORIZED', auth.users.accept({ terms: FIRST }, createCall({ id, epoch: 0 })));
  });
});
