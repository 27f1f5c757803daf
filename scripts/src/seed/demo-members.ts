import { DEMO_MEMBER_DOMAIN } from '@meetmark/contracts';

const NAMES = `Amelia Hartley, Oliver Whitfield, Priya Raman, Marcus Bennett, Sofia Lindqvist, Daniel Okafor, Grace Thornton, Hamza Malik,
  Isla Robertson, Tom Ashworth, Mei Chen, Liam Gallagher-Reed, Zara Ahmed, Jonas Keller, Chloe Barraclough, Kwame Mensah, Ellie Fairbank,
  Rafael Moreno, Nia Morgan, George Sutcliffe, Anaïs Dubois, Ravi Patel, Hannah Whitaker, Sean O’Donnell, Yasmin Haddad, Callum Fraser,
  Ingrid Nilsen, Tariq Hussain, Beth Ollerenshaw, Luca Romano, Freya Holroyd, Adeola Adeyemi, Josh Pemberton, Katarzyna Nowak, Ben Shackleton,
  Leila Karimi, Harry Entwistle, Mina Park, Edward Birtwistle, Rosa Almeida`;

const WORK = [
  'SEO lead at a Leeds agency. Log files, crawl budgets and strong coffee.',
  'I plan paid social for charities and keep an allotment in Headingley.',
  'Analytics consultant: GA4, BigQuery and dashboards that people really open.',
  'In-house marketer for a Sheffield outdoor brand. Ask me about email.',
  'Copywriter and content designer, plain English at any cost.',
  'Freelance PPC specialist. Happy to look at anyone’s search-terms report.',
  'Marketing graduate in my first agency year, here to learn and to meet people.',
  'Head of growth at a Manchester SaaS start-up; recovering spreadsheet addict.',
  'Brand strategist. I run the quarterly positioning clinic.',
  'Video producer for small businesses across Yorkshire.',
];

/** Every fourth member has no description, as in real communities. */
export const DEMO_MEMBERS = NAMES.split(/,\s+/).map((name, index) => {
  const [firstName = '', lastName = ''] = name.split(' ');
  const description = index % 4 === 3 ? null : WORK[index % WORK.length]!;
  return { firstName, lastName, description, hasLinkedIn: index % 3 !== 2 };
});
type DemoMember = (typeof DEMO_MEMBERS)[number];

/** Returns the name in ASCII, for the member's email address, LinkedIn URL and photo file. */
export const asciiName = ({ firstName, lastName }: DemoMember): string =>
  `${firstName}.${lastName}`
    .normalize('NFD')
    .replace(/[^a-zA-Z.-]/g, '')
    .toLowerCase();

export const getEmail = (member: DemoMember): string => `${asciiName(member)}@${DEMO_MEMBER_DOMAIN}`;
export const getLinkedInUrl = (member: DemoMember): string | null =>
  member.hasLinkedIn ? `https://www.linkedin.com/in/${asciiName(member).replace('.', '-')}` : null;
