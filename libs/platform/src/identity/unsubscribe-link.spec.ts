import { signUnsubscribe, unsubscribePath, verifyUnsubscribe } from './unsubscribe-link.js';

const userId = '01994d7e-8b1c-7000-8000-000000000001';
const secrets = ['the newest secret of thirty-two characters', 'an older secret of thirty-two characters'];
const target = { userId, list: 'reminders' } as const;
const token = signUnsubscribe(target, secrets);

describe('the unsubscribe link', () => {
  it('names the member and the kind of mail it was made for', () => {
    expect(verifyUnsubscribe(token, secrets)).toEqual(target);
  });

  it('names the registration of a guest, who is no member', () => {
    const guest = signUnsubscribe({ registrationId: userId }, secrets);
    expect(verifyUnsubscribe(guest, secrets)).toEqual({ registrationId: userId });
    expect(verifyUnsubscribe(guest.replace('.guest.', '.messages.'), secrets)).toBeNull();
    expect(verifyUnsubscribe(token.replace('.reminders.', '.guest.'), secrets)).toBeNull();
  });

  it('still works after the secrets have been rotated, and not once the old one is dropped', () => {
    const old = signUnsubscribe(target, secrets.slice(1));
    expect(verifyUnsubscribe(old, secrets)).toEqual(target);
    expect(verifyUnsubscribe(old, secrets.slice(0, 1))).toBeNull();
  });

  it('can be put into an address as it is', () => {
    expect(unsubscribePath(token)).toBe(`/api/unsubscribe/${encodeURIComponent(token)}`);
  });

  it.each([
    ['another member', token.replace('000001', '000002')],
    ['another kind of mail', token.replace('reminders', 'messages')],
    ['a kind that does not exist', token.replace('reminders', 'isAdmin')],
    ['another signature', `${token.slice(0, -43)}${'A'.repeat(43)}`],
    ['a shorter signature', token.slice(0, -1)],
    ['something appended', `${token}x`],
    ['nothing', ''],
  ])('is refused with %s', (_, forged) => {
    expect(verifyUnsubscribe(forged, secrets)).toBeNull();
  });

  it('is not made without a secret', () => {
    expect(() => signUnsubscribe(target, [])).toThrow('without a secret');
  });
});
