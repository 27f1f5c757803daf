import type { EventFormat, EventVisibility } from '@meetmark/contracts';

export interface DemoEvent {
  title: string;
  /** Days from today; negative ones are past. */
  day: number;
  /** Minutes by which it begins before the present hour, whatever the day and time. */
  minutesBefore?: number;
  /** Local time in the community's zone; null lasts all day. */
  time: string | null;
  hours: number;
  /** In person where it is not said. */
  format?: EventFormat;
  location: string | null;
  /** Null is free. */
  price: string | null;
  capacity: number | null;
  /** How many have registered; never more than the capacity. */
  registered: number;
  /** How many wait for a place of a full event. */
  waiting?: number;
  /** Takes nobody more when it is full. */
  withoutWaitingList?: true;
  /** The member whom the demo signs in as has no place: they see what is offered to others. */
  leftToMember?: true;
  description: string;
  /** Not published yet. */
  draft?: true;
  visibility?: EventVisibility;
  /** Why it was cancelled. */
  cancelled?: string;
  /** Events of the same series have the same name here. */
  series?: string;
}

const UPCOMING: readonly DemoEvent[] = [
  {
    title: 'Winter Social at the Canal Warehouse',
    day: 2,
    time: '18:30',
    hours: 3.5,
    location: 'The Granary Wharf, Leeds',
    price: null,
    capacity: 80,
    registered: 34,
    leftToMember: true,
    description:
      'No slides, no pitches. A drink on the sponsors, a quiz about the worst adverts of the year, and everyone you meant to talk to since summer.',
  },
  {
    title: 'SEO Breakfast: What the Last Core Update Changed',
    day: 4,
    time: '08:00',
    hours: 1.5,
    location: 'Platform, New Station Street, Leeds',
    price: null,
    capacity: 30,
    registered: 30,
    waiting: 6,
    leftToMember: true,
    description:
      'Three short case studies from northern agencies over bacon rolls, then an open table.\n\nBring a page that lost traffic and we will look at it together.',
  },
  {
    title: 'Google Ads Clinic: Bring Your Account',
    day: 6,
    time: '18:00',
    hours: 2,
    location: 'Bruntwood, Platform, Leeds',
    price: '15',
    capacity: 12,
    registered: 12,
    withoutWaitingList: true,
    leftToMember: true,
    description:
      'Twelve accounts, four specialists, ten minutes each. You leave with a list of five things to change tomorrow.',
  },
  {
    title: 'Analytics Without Cookies: A Hands-on Evening',
    day: 9,
    time: '18:00',
    hours: 2.5,
    format: 'hybrid',
    location: 'Manchester Technology Centre, Oxford Road, Manchester',
    price: '20',
    capacity: 40,
    registered: 22,
    description:
      'Server-side tagging, consent mode and modelled conversions, with a sandbox for everyone.\n\nPlease bring a laptop. The exercises are at https://analytics.example/workshop',
  },
  {
    title: 'Email Deliverability: Landing in the Inbox',
    day: 12,
    time: '12:00',
    hours: 1,
    format: 'online',
    location: null,
    price: null,
    capacity: null,
    registered: 26,
    description:
      'SPF, DKIM, DMARC and BIMI explained without acronyms, with live checks of domains that you send in beforehand.',
  },
  {
    title: 'Northern Marketing Unconference',
    day: 13,
    time: null,
    hours: 24,
    location: 'Hope Mill, Pollard Street, Manchester',
    price: '45',
    capacity: 150,
    registered: 29,
    description:
      'The programme is made in the morning by the people in the room. Four tracks, one long lunch, and a market of ideas at the end.',
  },
  {
    title: 'TikTok for Serious Brands',
    day: 14,
    time: '18:30',
    hours: 2,
    location: 'The Sharp Project, Manchester',
    price: '12.50',
    capacity: 60,
    registered: 0,
    description:
      'What a building society, a museum and a maker of industrial pumps learned from a year of short video.',
  },
  {
    title: 'Content Strategy for Small Teams',
    day: 15,
    time: '09:30',
    hours: 6,
    location: 'Sheffield Hallam University, Sheffield',
    price: '85',
    capacity: 24,
    registered: 17,
    description:
      'A full day for marketing teams of one to five: audit, topics, a calendar that survives February, and how to say no. Lunch is included.',
  },
  {
    title: 'Women in Digital: Speed Mentoring',
    day: 18,
    time: '17:30',
    hours: 2,
    location: 'York Guildhall, York',
    price: null,
    capacity: 36,
    registered: 21,
    description:
      'Six mentors, six conversations of twelve minutes. Sign up as mentee here; mentors please write to the organisers.',
  },
  {
    title: 'AI-Assisted Copywriting, Honestly',
    day: 31,
    time: '18:00',
    hours: 2,
    format: 'hybrid',
    location: 'Platform, New Station Street, Leeds',
    price: '10',
    capacity: 50,
    registered: 24,
    description:
      'Where it helps, where it harms, and what to tell your clients. With before-and-after texts and a frank legal half hour.',
  },
  {
    title: 'Local SEO Walk Through the Northern Quarter',
    day: 36,
    time: '10:00',
    hours: 2,
    location: 'Stevenson Square, Manchester',
    price: null,
    capacity: 15,
    registered: 15,
    waiting: 3,
    description:
      'We visit eight shops and look at how they appear on maps, in reviews and in their own window. Wear shoes for rain.',
  },
  {
    title: 'CRO Teardown Night',
    day: 41,
    time: '18:30',
    hours: 2,
    location: 'Electric Works, Sheffield',
    price: '8',
    capacity: 45,
    registered: 11,
    description:
      'Volunteers put their landing page on the screen and the room takes it apart, kindly. Two pages will be tested for real afterwards.',
  },
  {
    title: 'Podcasting for Brands: From Idea to Episode Ten',
    day: 48,
    time: '14:00',
    hours: 3,
    location: 'BBC Quay House, MediaCity, Salford',
    price: '30',
    capacity: 20,
    registered: 9,
    description:
      'Most company podcasts end after episode three. Two producers show how to plan so that yours does not.',
  },
  {
    title: 'Agency Founders’ Dinner',
    day: 55,
    time: '19:00',
    hours: 3,
    location: 'Tattu, Minerva House, Leeds',
    price: '55',
    capacity: 18,
    registered: 14,
    description:
      'One long table, one question for the evening: what would you not do again? Chatham House rule.',
  },
  {
    title: 'B2B LinkedIn Masterclass',
    day: 63,
    time: '09:30',
    hours: 4,
    location: 'Baltic Centre, Gateshead',
    price: '60',
    capacity: 30,
    registered: 6,
    description: 'Profiles, posts and paid campaigns for long sales cycles, with exercises in pairs.',
  },
  ...[8, 22, 36].map((day): DemoEvent => ({
    title: 'Coffee and Campaigns',
    day,
    time: '09:00',
    hours: 1,
    location: 'Laynes Espresso, Leeds',
    price: null,
    capacity: 16,
    registered: day < 20 ? 11 : 4,
    series: 'coffee',
    description: 'Every two weeks an hour before work: one campaign, one pot of coffee, honest questions.',
  })),
  {
    title: 'Rooftop Networking',
    day: 16,
    time: '18:00',
    hours: 3,
    location: 'Headrow House, Leeds',
    price: '8',
    capacity: 60,
    registered: 17,
    cancelled:
      'The terrace is closed after the storm, and no other roof could be found. See you at the Winter Social!',
    description: 'Drinks above the city, and a name badge with a question on it instead of your employer.',
  },
  {
    title: 'Northern Content Camp',
    day: 44,
    time: null,
    hours: 72,
    location: 'Hebden Bridge Youth Hostel, Hebden Bridge',
    price: '180',
    capacity: 40,
    registered: 18,
    description:
      'Three days of writing, walking and editing each other’s work. Beds, meals and wellingtons are included.',
  },
  {
    title: 'Speakers’ Rehearsal for the Spring Conference',
    day: 76,
    time: '17:00',
    hours: 2,
    format: 'online',
    location: null,
    price: null,
    capacity: 15,
    registered: 5,
    visibility: 'unlisted',
    description: 'For those who speak in spring: five minutes each, and friendly notes.',
  },
  {
    title: 'Call for Talks: Writing a Proposal That Is Taken',
    day: 33,
    time: '18:00',
    hours: 1.5,
    format: 'hybrid',
    location: 'Platform, New Station Street, Leeds',
    price: null,
    capacity: 30,
    registered: 0,
    draft: true,
    description: 'The programme committee reads six proposals aloud, with their authors’ leave.',
  },
  {
    title: 'Spring Conference: Measuring What Matters',
    day: 90,
    time: '09:00',
    hours: 8,
    format: 'hybrid',
    location: 'Royal Armouries, Leeds',
    price: '120',
    capacity: 250,
    registered: 23,
    description:
      'Our yearly conference: twelve talks on marketing mix models, brand tracking and experiments, chosen by the members.\n\nThe call for talks is open until six weeks before.',
  },
];

const PAST: readonly DemoEvent[] = [
  // after the start of the evening that is under way, so that the past begins with what is over
  {
    title: 'Search Social: First-timers’ Half Hour',
    day: -1,
    minutesBefore: 30,
    time: '00:00',
    hours: 0.5,
    location: 'Hope Mill, Pollard Street, Manchester',
    price: null,
    capacity: 20,
    registered: 9,
    leftToMember: true,
    description: 'For those who come for the first time: who is who, where the bar is, and whom to ask.',
  },
  {
    title: 'Paid Social on a Charity Budget',
    day: -4,
    time: '18:00',
    hours: 2,
    location: 'Leeds Media Centre, Leeds',
    price: null,
    capacity: 40,
    registered: 31,
    description: 'How three charities spent less than a thousand pounds and what came of it.',
  },
  {
    title: 'Looker Studio Dashboards People Open',
    day: -9,
    time: '17:30',
    hours: 2.5,
    location: 'Manchester Technology Centre, Oxford Road, Manchester',
    price: '18',
    capacity: 25,
    registered: 25,
    description: 'A workshop on choosing five numbers, and leaving out fifty.',
  },
  {
    title: 'Autumn Newcomers’ Evening',
    day: -16,
    time: '18:30',
    hours: 2.5,
    location: 'The Tetley, Leeds',
    price: null,
    capacity: 60,
    registered: 36,
    description:
      'For everyone who joined this year: meet the organisers, find the regulars, and say what you would like to learn.',
  },
  {
    title: 'Accessibility for Marketers',
    day: -23,
    time: '12:30',
    hours: 1,
    format: 'online',
    location: null,
    price: null,
    capacity: null,
    registered: 28,
    description:
      'Alt texts, contrast, captions and PDFs: an hour that makes next week’s campaign better for everybody.',
  },
  {
    title: 'Technical SEO Day',
    day: -34,
    time: '09:30',
    hours: 7,
    format: 'hybrid',
    location: 'Sheffield Hallam University, Sheffield',
    price: '95',
    capacity: 35,
    registered: 27,
    description:
      'Rendering, internal links, faceted navigation and log files, with two practitioners and your own sites.',
  },
  {
    title: 'Pitch Perfect: Presenting Results to the Board',
    day: -42,
    time: '18:00',
    hours: 2,
    location: 'York Guildhall, York',
    price: '10',
    capacity: 30,
    registered: 19,
    description: 'Five minutes, one chart, one recommendation. With feedback from two finance directors.',
  },
  {
    title: 'Summer Canal Boat Social',
    day: -95,
    time: '17:00',
    hours: 4,
    location: 'Granary Wharf, Leeds',
    price: '25',
    capacity: 38,
    registered: 38,
    description: 'Slowly to Rodley and back, with a barbecue on the towpath.',
  },
  {
    title: 'Brand Voice Workshop',
    day: -58,
    time: '13:00',
    hours: 4,
    location: 'Hope Mill, Pollard Street, Manchester',
    price: '40',
    capacity: 20,
    registered: 16,
    description: 'Find it, write it down, and keep it when six people and a machine write for you.',
  },
  {
    title: 'GDPR and PECR: The Questions You Were Afraid to Ask',
    day: -71,
    time: '12:00',
    hours: 1.5,
    format: 'online',
    location: null,
    price: null,
    capacity: null,
    registered: 24,
    description:
      'A solicitor answers what members sent in: consent, legitimate interest, soft opt-in, old lists.',
  },
  {
    title: 'Marketing Automation Show and Tell',
    day: -83,
    time: '18:30',
    hours: 2,
    location: 'Electric Works, Sheffield',
    price: null,
    capacity: 45,
    registered: 22,
    description:
      'Members show a workflow that saves them an hour a week, and the one that sent four hundred mails to the chairman.',
  },
  {
    title: 'Influencer Marketing: Contracts and Conscience',
    day: -110,
    time: '18:00',
    hours: 2,
    format: 'hybrid',
    location: 'Baltic Centre, Gateshead',
    price: '12',
    capacity: 40,
    registered: 18,
    description: 'Briefs, fees, disclosure, and when to walk away.',
  },
  {
    title: 'Spring Kick-off: Trends We Will Ignore',
    day: -180,
    time: '18:30',
    hours: 3,
    location: 'The Tetley, Leeds',
    price: null,
    capacity: 90,
    registered: 33,
    description: 'Seven speakers, seven minutes each, on what not to spend money on this year.',
  },
];

export const DEMO_EVENTS: readonly DemoEvent[] = [...UPCOMING, ...PAST];
