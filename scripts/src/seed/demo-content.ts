export interface DemoContent {
  onlineUrl?: string;
  onlineNote?: string;
  accessibility?: string;
  /** `at` and `until` are minutes from the start of the event. */
  agenda?: { at: number; until?: number; title: string; note?: string }[];
  /** `member` is the index of a member who has agreed to speak. */
  speakers?: { name?: string; member?: number; title: string; bio?: string; linkUrl?: string }[];
  hosts?: number[];
  resources?: { title: string; url: string }[];
  recap?: string;
  gallery?: { cover: string; alt: string }[];
}

/** Payment instructions by event title, for events that don't use the community's instructions. */
export const PAYMENT_NOTES: Record<string, string> = {
  'Google Ads Clinic: Bring Your Account': 'Card at the door.',
  'Analytics Without Cookies: A Hands-on Evening': 'Card or cash at the door; we write a receipt.',
  'Content Strategy for Small Teams': 'By invoice before the day: we write to you once you have registered.',
  'Spring Conference: Measuring What Matters': 'By invoice, or by card at the registration desk.',
  'Technical SEO Day': 'By invoice.',
};

export const DEMO_CONTENT: Record<string, DemoContent> = {
  'SEO Breakfast: What the Last Core Update Changed': {
    accessibility:
      'Step-free from the street; the lift is left of the bar. Write to us if you need a seat near the screen.',
    agenda: [
      { at: 0, until: 15, title: 'Coffee and bacon rolls', note: 'Vegetarian ones, too' },
      { at: 15, until: 60, title: 'Three case studies' },
      { at: 60, until: 90, title: 'The open table', note: 'Bring a page that lost traffic' },
    ],
    speakers: [
      {
        name: 'Priya Raman',
        title: 'Head of Search, Brightmill Analytics',
        bio: 'Has read every core update note since 2011, and forgotten most of them.',
        linkUrl: 'https://brightmill.example/people/priya',
      },
      { member: 2, title: 'Technical SEO' },
    ],
    hosts: [0],
  },
  'Analytics Without Cookies: A Hands-on Evening': {
    onlineUrl: 'https://meet.example/analytics-without-cookies',
    onlineNote: 'The room opens ten minutes before. Passcode: 4417',
    agenda: [
      { at: 0, until: 30, title: 'Consent mode in half an hour' },
      { at: 30, until: 120, title: 'Hands on: the sandbox' },
      { at: 120, title: 'Questions' },
    ],
    speakers: [{ member: 5, title: 'Analytics engineer', bio: 'Builds tag managers for a living.' }],
    hosts: [1],
  },
  'Email Deliverability: Landing in the Inbox': {
    onlineUrl: 'https://meet.example/deliverability',
    onlineNote: 'Please mute yourself when you come in.',
    hosts: [],
  },
  'Content Strategy for Small Teams': {
    agenda: [
      { at: 0, until: 90, title: 'The audit' },
      { at: 105, until: 180, title: 'Topics' },
      { at: 180, until: 240, title: 'Lunch' },
      { at: 240, until: 360, title: 'A calendar that survives February' },
    ],
    speakers: [
      { name: 'Tom Ashworth', title: 'Copperline Studio', linkUrl: 'https://copperline.example/team' },
    ],
  },
  'Spring Conference: Measuring What Matters': {
    agenda: [
      { at: 0, until: 30, title: 'Registration and coffee' },
      { at: 30, until: 90, title: 'Keynote' },
      { at: 90, until: 210, title: 'Talks, in two tracks' },
      { at: 210, until: 270, title: 'Lunch' },
      { at: 270, until: 450, title: 'Talks and experiments' },
      { at: 450, until: 480, title: 'What we take home' },
    ],
    hosts: [0, 3],
  },
  'Paid Social on a Charity Budget': {
    recap:
      'Three charities, **£2,740 in all**, and more sign-ups than last year’s agency campaign:\n\n- short films from phones beat everything else\n- two of them switched off half of their audiences\n\nThank you to everybody who stayed to stack chairs.',
    resources: [{ title: 'Slides', url: 'https://slides.example/charity-budget' }],
    hosts: [],
  },
  'Looker Studio Dashboards People Open': {
    recap: 'Twenty-five people left with *five* numbers each. The template is below.',
    resources: [
      { title: 'The template', url: 'https://lookerstudio.example/template' },
      { title: 'Slides', url: 'https://slides.example/five-numbers' },
    ],
  },
  'Technical SEO Day': {
    recap: 'A full house. The recording of the log file session is up.',
    resources: [{ title: 'Recording: reading log files', url: 'https://video.example/log-files' }],
    gallery: [
      {
        cover: 'gdpr-and-pecr-the-questions-you-were-afr',
        alt: 'A slide of the log file session: bars that rise to the right',
      },
      { cover: 'coffee-and-campaigns', alt: 'The questions from the room, drawn as speech bubbles' },
      { cover: 'winter-social-at-the-canal-warehouse', alt: 'The last slide: circles of light on blue' },
    ],
  },
};

export const DEMO_TOPICS = (
  [
    ['search', 'Search', /SEO|Google|Core Update/],
    ['content', 'Content and brand', /Content|Brand|Copywriting|Podcast|Email|Trends/],
    ['paid-and-social', 'Paid and social', /Ads|Paid|TikTok|LinkedIn|Influencer/],
    ['analytics', 'Analytics', /Analytics|CRO|Dashboards|Measuring|GDPR|Automation/],
    ['meeting-people', 'Meeting people', /Social at|Boat|Dinner|Coffee|Networking|Newcomers|Women|Rooftop/],
  ] as const
).map(([slug, name, titles]) => ({ slug, name, titles }));

interface DemoProposal {
  member: number;
  title: string;
  description: string;
  days: number;
  days_ago: number;
  words?: string;
}

/**
 * Proposals by members. A member made each proposal `days_ago` days ago, for an event in `days` days. `words`
 * is the reason for a rejection.
 */
export const DEMO_PROPOSALS: DemoProposal[] = [
  {
    ...{ member: 0, title: 'Newsletter Clinic', days: 30, days_ago: 1 },
    description: 'Bring a newsletter that nobody opens; we rewrite its first screen together.',
  },
  {
    ...{ member: 0, title: 'Billboard Walk by Night', days: 12, days_ago: 9 },
    description: 'Two hours of outdoor advertising, with a thermos.',
    words: 'A lovely idea, but not in January: propose it again for a warm month, and we will come.',
  },
  {
    ...{ member: 7, title: 'First Steps with Server-side Tagging', days: 40, days_ago: 3 },
    description: 'For those who have only read about it.',
  },
];

export const TONIGHT_QUESTIONS = [
  {
    kind: 'choice',
    label: 'What would you like to eat?',
    required: true,
    options: ['Aubergine curry', 'Chicken and leek pie', 'Nothing, thank you'],
  },
  { kind: 'yesNo', label: 'Do you take the coach back to Leeds?', required: true, options: [] },
  { kind: 'text', label: 'What should the speakers talk about?', required: false, options: [] },
] as const;

export const WISHES = [
  'How to measure what happens in shops',
  'Search in answers of assistants: what is left for us?',
  'Less about tools, please, and more about briefs',
  'A budget below 500 pounds a month',
  'Reports that a finance director reads to the end',
] as const;
