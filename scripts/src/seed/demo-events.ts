import type { EventFormat } from '@meetmark/contracts';

/**
 * Two lines per event. The first line contains its fields, the second its description, with ¶ between
 * paragraphs. After ✗, the second line contains the reason for a cancellation. Days count from today, and
 * times are local. `left` means that the first member isn't registered. `began` is the number of minutes from
 * the start to the last full hour.
 */
const EVENTS = `
title | day | time | hours | format | location | price | capacity | registered | more
Winter Social at the Canal Warehouse | 2 | 18:30 | 3.5 | in_person | The Granary Wharf, Leeds |  | 80 | 34 | left
No slides, no pitches. A drink on the sponsors, a quiz about the worst adverts of the year, and everyone you meant to talk to since summer.
SEO Breakfast: What the Last Core Update Changed | 4 | 08:00 | 1.5 | in_person | Platform, New Station Street, Leeds |  | 30 | 30 | waiting=6 left
Three short case studies from northern agencies over bacon rolls, then an open table. ¶ Bring a page that lost traffic and we will look at it together.
Google Ads Clinic: Bring Your Account | 6 | 18:00 | 2 | in_person | Bruntwood, Platform, Leeds | 15 | 12 | 12 | left
Twelve accounts, four specialists, ten minutes each. You leave with a list of five things to change tomorrow.
Analytics Without Cookies: A Hands-on Evening | 9 | 18:00 | 2.5 | hybrid | Manchester Technology Centre, Oxford Road, Manchester | 20 | 40 | 22 |
Server-side tagging, consent mode and modelled conversions, with a sandbox for everyone. ¶ Please bring a laptop. The exercises are at https://analytics.example/workshop
Email Deliverability: Landing in the Inbox | 12 | 12:00 | 1 | online |  |  |  | 26 |
SPF, DKIM, DMARC and BIMI explained without acronyms, with live checks of domains that you send in beforehand.
Northern Marketing Unconference | 13 | all day | 24 | in_person | Hope Mill, Pollard Street, Manchester | 45 | 150 | 29 |
The programme is made in the morning by the people in the room. Four tracks, one long lunch, and a market of ideas at the end.
TikTok for Serious Brands | 14 | 18:30 | 2 | in_person | The Sharp Project, Manchester | 12.50 | 60 | 0 |
What a building society, a museum and a maker of industrial pumps learned from a year of short video.
Content Strategy for Small Teams | 15 | 09:30 | 6 | in_person | Sheffield Hallam University, Sheffield | 85 | 24 | 17 |
A full day for marketing teams of one to five: audit, topics, a calendar that survives February, and how to say no. Lunch is included.
Women in Digital: Speed Mentoring | 18 | 17:30 | 2 | in_person | York Guildhall, York |  | 36 | 21 |
Six mentors, six conversations of twelve minutes. Sign up as mentee here; mentors please write to the organisers.
AI-Assisted Copywriting, Honestly | 31 | 18:00 | 2 | hybrid | Platform, New Station Street, Leeds | 10 | 50 | 24 |
Where it helps, where it harms, and what to tell your clients. With before-and-after texts and a frank legal half hour.
Local SEO Walk Through the Northern Quarter | 36 | 10:00 | 2 | in_person | Stevenson Square, Manchester |  | 15 | 15 | waiting=3
We visit eight shops and look at how they appear on maps, in reviews and in their own window. Wear shoes for rain.
CRO Teardown Night | 41 | 18:30 | 2 | in_person | Electric Works, Sheffield | 8 | 45 | 11 |
Volunteers put their landing page on the screen and the room takes it apart, kindly. Two pages will be tested for real afterwards.
Podcasting for Brands: From Idea to Episode Ten | 48 | 14:00 | 3 | in_person | BBC Quay House, MediaCity, Salford | 30 | 20 | 9 |
Most company podcasts end after episode three. Two producers show how to plan so that yours does not.
Agency Founders’ Dinner | 55 | 19:00 | 3 | in_person | Tattu, Minerva House, Leeds | 55 | 18 | 14 |
One long table, one question for the evening: what would you not do again? Chatham House rule.
B2B LinkedIn Masterclass | 63 | 09:30 | 4 | in_person | Baltic Centre, Gateshead | 60 | 30 | 6 |
Profiles, posts and paid campaigns for long sales cycles, with exercises in pairs.
Coffee and Campaigns | 8 | 09:00 | 1 | in_person | Laynes Espresso, Leeds |  | 16 | 11 | series
Every two weeks an hour before work: one campaign, one pot of coffee, honest questions.
Coffee and Campaigns | 22 | 09:00 | 1 | in_person | Laynes Espresso, Leeds |  | 16 | 4 | series
Every two weeks an hour before work: one campaign, one pot of coffee, honest questions.
Coffee and Campaigns | 36 | 09:00 | 1 | in_person | Laynes Espresso, Leeds |  | 16 | 4 | series
Every two weeks an hour before work: one campaign, one pot of coffee, honest questions.
Rooftop Networking | 16 | 18:00 | 3 | in_person | Headrow House, Leeds | 8 | 60 | 17 |
Drinks above the city, and a name badge with a question on it instead of your employer. ✗ The terrace is closed after the storm, and no other roof could be found. See you at the Winter Social!
Northern Content Camp | 44 | all day | 72 | in_person | Hebden Bridge Youth Hostel, Hebden Bridge | 180 | 40 | 18 |
Three days of writing, walking and editing each other’s work. Beds, meals and wellingtons are included.
Speakers’ Rehearsal for the Spring Conference | 76 | 17:00 | 2 | online |  |  | 15 | 5 | unlisted
For those who speak in spring: five minutes each, and friendly notes.
Call for Talks: Writing a Proposal That Is Taken | 33 | 18:00 | 1.5 | hybrid | Platform, New Station Street, Leeds |  | 30 | 0 | draft
The programme committee reads six proposals aloud, with their authors’ leave.
Spring Conference: Measuring What Matters | 90 | 09:00 | 8 | hybrid | Royal Armouries, Leeds | 120 | 250 | 23 |
Our yearly conference: twelve talks on marketing mix models, brand tracking and experiments, chosen by the members. ¶ The call for talks is open until six weeks before.
Search Social: First-timers’ Half Hour | -1 | 00:00 | 0.5 | in_person | Hope Mill, Pollard Street, Manchester |  | 20 | 9 | left began=30
For those who come for the first time: who is who, where the bar is, and whom to ask.
Paid Social on a Charity Budget | -4 | 18:00 | 2 | in_person | Leeds Media Centre, Leeds |  | 40 | 31 |
How three charities spent less than a thousand pounds and what came of it.
Looker Studio Dashboards People Open | -9 | 17:30 | 2.5 | in_person | Manchester Technology Centre, Oxford Road, Manchester | 18 | 25 | 25 |
A workshop on choosing five numbers, and leaving out fifty.
Autumn Newcomers’ Evening | -16 | 18:30 | 2.5 | in_person | The Tetley, Leeds |  | 60 | 36 |
For everyone who joined this year: meet the organisers, find the regulars, and say what you would like to learn.
Accessibility for Marketers | -23 | 12:30 | 1 | online |  |  |  | 28 |
Alt texts, contrast, captions and PDFs: an hour that makes next week’s campaign better for everybody.
Technical SEO Day | -34 | 09:30 | 7 | hybrid | Sheffield Hallam University, Sheffield | 95 | 35 | 27 |
Rendering, internal links, faceted navigation and log files, with two practitioners and your own sites.
Pitch Perfect: Presenting Results to the Board | -42 | 18:00 | 2 | in_person | York Guildhall, York | 10 | 30 | 19 |
Five minutes, one chart, one recommendation. With feedback from two finance directors.
Summer Canal Boat Social | -95 | 17:00 | 4 | in_person | Granary Wharf, Leeds | 25 | 38 | 38 |
Slowly to Rodley and back, with a barbecue on the towpath.
Brand Voice Workshop | -58 | 13:00 | 4 | in_person | Hope Mill, Pollard Street, Manchester | 40 | 20 | 16 |
Find it, write it down, and keep it when six people and a machine write for you.
GDPR and PECR: The Questions You Were Afraid to Ask | -71 | 12:00 | 1.5 | online |  |  |  | 24 |
A solicitor answers what members sent in: consent, legitimate interest, soft opt-in, old lists.
Marketing Automation Show and Tell | -83 | 18:30 | 2 | in_person | Electric Works, Sheffield |  | 45 | 22 |
Members show a workflow that saves them an hour a week, and the one that sent four hundred mails to the chairman.
Influencer Marketing: Contracts and Conscience | -110 | 18:00 | 2 | hybrid | Baltic Centre, Gateshead | 12 | 40 | 18 |
Briefs, fees, disclosure, and when to walk away.
Spring Kick-off: Trends We Will Ignore | -180 | 18:30 | 3 | in_person | The Tetley, Leeds |  | 90 | 33 |
Seven speakers, seven minutes each, on what not to spend money on this year.
`;

const [, ...LINES] = EVENTS.trim().split('\n');

export const DEMO_EVENTS = LINES.flatMap((line, index) => {
  if (index % 2 === 1) return [];
  const [title, day, time, hours, format, location, price, capacity, registered, more = ''] = line
    .split('|')
    .map((cell) => cell.trim());
  const [description, cancelled] = LINES[index + 1]!.split(' ✗ ');
  const parseNumber = (name: string) => {
    const [, digits] = new RegExp(`${name}=(\\d+)`).exec(more) ?? [];
    return digits === undefined ? null : Number(digits);
  };
  return {
    title: title!,
    day: Number(day),
    time: time === 'all day' ? null : time!,
    hours: Number(hours),
    format: format as EventFormat,
    location: location || null,
    price: price || null,
    capacity: Number(capacity) || null,
    registered: Number(registered),
    waiting: parseNumber('waiting'),
    isLeftToMember: more.includes('left'),
    isDraft: more.includes('draft'),
    visibility: more.includes('unlisted') ? 'unlisted' : 'public',
    isInSeries: more.includes('series'),
    minutesBefore: parseNumber('began'),
    description: description!.replaceAll(' ¶ ', '\n\n'),
    cancelled: cancelled ?? null,
  };
});
