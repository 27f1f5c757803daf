const PASSWORD = 'correct horse';

/** The cookie of a member who has just signed up. */
export async function signUp(url: string): Promise<string> {
  const response = await fetch(`${url}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({
      firstName: 'Bench',
      lastName: 'Member',
      email: 'bench@example.org',
      password: PASSWORD,
    }),
  });
  const [cookie = ''] = response.headers.getSetCookie();
  if (!response.ok) throw new Error(`sign-up answers ${response.status} ${await response.text()}`);
  return cookie.split(';')[0] ?? '';
}
