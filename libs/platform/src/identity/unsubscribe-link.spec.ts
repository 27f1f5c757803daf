import { signUnsubscribe, unsubscribePath, verifyUnsubscribe } from './unsubscribe-link.js';

const userId = '01994d7e-8b1c-7000-8000-000000000001';
const secrets = ['the newest secret of thirty-two characters', 'an older secret of thirty-two characters'];
const target = { userId, list: 'reminders' } as const;
const token = signUnsubscribe(target, secrets);

describe('the unsubscribe link', () => {
  it('contains the member and the email list it was made for', () => {
    expect(verifyUnsubscribe(token, secrets)).toEqual(target);
  });

  it('contains a guest’s registration, which cannot be swapped for a list', () => {
    const guest = signUnsubscribe({ registrationId: userId }, secrets);
    expect(verifyUnsubscribe(guest, secrets)).toEqual({ registrationId: userId });
    expect(verifyUnsubscribe(guest.replace('.guest.', '.messages.'), secrets)).toBeNull();
    expect(verifyUnsubscribe(token.replace('.reminders.', '.guest.'), secrets)).toBeNull();
  });

  it('works after a rotation until the old secret is removed', () => {
    const old = signUnsubscribe(target, secrets.slice(1));
    expect(verifyUnsubscribe(old, secrets)).toEqual(target);
    expect(verifyUnsubscribe(old, secrets.slice(0, 1))).toBeNull();
  });

  it('needs no encoding in a URL', () => {
    expect(unsubscribePath(token)).toBe(`/api/unsubscribe/${encodeURIComponent(token)}`);
  });

  it.each([
    ['another member', token.replace('000001', '000002')],
    ['another email list', token.replace('reminders', 'messages')],
    ['an unknown email list', token.replace('reminders', 'isAdmin')],
    ['another signature', `${token.slice(0, -43)}${'A'.repeat(43)}`],
    ['a shorter signature', token.slice(0, -1)],
    ['something appended', `${token}x`],
    ['nothing', ''],
  ])('is refused with %s', (_, forged) => {
    expect(verifyUnsubscribe(forged, secrets)).toBeNull();
  });

  it('cannot be made without a secret', () => {
    expect(() => signUnsubscribe(target, [])).toThrow('without a secret');
  });
});
