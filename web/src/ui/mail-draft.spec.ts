import { mailDraft } from './mail-draft';

describe('A mail draft', () => {
  it('encodes the whole of subject and body', () => {
    expect(mailDraft({ to: 'ada@example.org', subject: 'A & B?', body: 'one\ntwo +1 #x' })).toBe(
      'mailto:ada@example.org?subject=A%20%26%20B%3F&body=one%0D%0Atwo%20%2B1%20%23x',
    );
  });

  it('lets no address add a recipient or a header', () => {
    const draft = mailDraft({ to: 'a?bcc=evil&cc=x,y@example.org', subject: 's', body: 'b' });
    expect(draft).toBe('mailto:a%3Fbcc%3Devil%26cc%3Dx%2Cy@example.org?subject=s&body=b');
  });
});
