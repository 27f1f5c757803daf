import { signUnsubscribe, unsubscribePath, verifyUnsubscribe } from './unsubscribe-link.js';

const userId = '01994d7e-8b1c-7000-8000-000000000001';
const secrets = ['the newest secret of thirty-two characters', 'an older secret of thirty-two characters'];
const target = { userId, list: 'reminders' } as const;
const token = signUnsubscribe(target, secrets);

describe('signing unsubscribe links', () => {
  it('restores the member and the email list from a link', () => {
    expect(verifyUnsubscribe(token, secrets)).toEqual(target);
  });

  it('does not accept a guest’s link as a member’s link, or vice versa', () => {
    const guest = signUnsubscribe({ registrationId: userId }, secrets);
    expect(verifyUnsubscribe(guest, secrets)).toEqual({ registrationId: userId });
    expect(verifyUnsubscribe(guest.replace('.guest.', '.messages.'), secrets)).toBeNull();
    expect(verifyUnsubscribe(token.replace('.reminders.', '.guest.'), secrets)).toBeNull();
  });

  it('accepts an old link until its secret is removed', () => {
    const old = signUnsubscribe(target, secrets.slice(1));
    expect(verifyUnsubscribe(old, secrets)).toEqual(target);
    expect(verifyUnsubscribe(old, secrets.slice(0, 1))).toBeNull();
  });

  it('creates links that need no URL encoding', () => {
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
  ])('rejects a link with %s', (_, forged) => {
    expect(verifyUnsubscribe(forged, secrets)).toBeNull();
  });

  it('throws without a secret', () => {
    expect(() => signUnsubscribe(target, [])).toThrow('without a secret');
  });
});
