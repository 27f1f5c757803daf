import { calendarText } from '@meetmark/i18n/texts/calendar';
import { layoutText } from '@meetmark/i18n/texts/common';
import { detailsText } from '@meetmark/i18n/texts/event-page';
import { browseText, eventText } from '@meetmark/i18n/texts/events';
import { helpText } from '@meetmark/i18n/texts/help';
import { noscriptText } from '@meetmark/i18n/texts/noscript';
import { resetRequestText } from '@meetmark/i18n/texts/passwords';
import type { CSSProperties, ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { CardSkeletons } from '../features/events/shared/event-card';
import browse from '../features/events/browse-events.module.css';
import { Hero, HeroArt, HeroPhoto } from '../features/landing/hero';
import hero from '../features/landing/hero.module.css';
import details from '../features/events/shared/event-details.module.css';
import card from '../features/events/shared/event-card.module.css';
import help from '../features/help/help.module.css';
import legal from '../features/legal/legal-screen.module.css';
import { CentredSpinner } from '../ui/centred-spinner';
import { ScreenHeading } from '../ui/screen-heading';
import { Letter, Logo } from './layout/brand-mark';
import header from './layout/header.module.css';
import layout from './layout/layout.module.css';
import strip from './layout/next-event-strip.module.css';

const withoutScripts = (shown: ReactNode) => renderToStaticMarkup(<noscript>{shown}</noscript>);

const contact = (
  <p>
    {noscriptText.contact} <a href="mailto:{{email}}">{'{{email}}'}</a>
  </p>
);

const CROPPED = {
  '--square': '{{square}}',
  '--square-zoom': '{{squareZoom}}',
  '--wide': '{{wide}}',
  '--wide-zoom': '{{wideZoom}}',
} as CSSProperties;

const picture = (sources: { srcSet?: string; sizes?: string }) =>
  renderToStaticMarkup(
    <img
      className={card.banner}
      {...sources}
      src="{{address}}"
      alt=""
      width={1600}
      height={800}
      fetchPriority="high"
      style={CROPPED}
    />,
  );

const framePieces = () => ({
  frame: `{{strip}}${renderToStaticMarkup(
    <div className={layout.frame}>
      <header className={header.header}>
        <div className={header.inner}>
          <span className={header.brand}>
            {'{{mark}}'}
            <span className={header.name}>{'{{name}}'}</span>
          </span>
        </div>
      </header>
      <main className={layout.content}>{'{{main}}'}</main>
    </div>,
  )}`,
  letter: renderToStaticMarkup(<Letter>{'{{letter}}'}</Letter>),
  logo: renderToStaticMarkup(<Logo src="{{address}}" />),
  strip: renderToStaticMarkup(<div className={strip.strip} />),
  waiting: renderToStaticMarkup(<CentredSpinner />),
  picture: picture({}),
  photo: picture({ srcSet: '{{sources}}', sizes: '{{sizes}}' }),
});

const landingPieces = () => ({
  landing: renderToStaticMarkup(
    <>
      <Hero name="{{name}}" headline="{{headline}}" tagline="{{tagline}}" art={'{{art}}'} ways="{{ways}}" />
      <div id="events" className={hero.events}>
        <section className={browse.section}>
          <div className={browse.head}>
            <h2 className={browse.title}>{browseText.title}</h2>
            <p className={browse.count} />
            <div className={browse.tools}>
              <i className={browse.toolsPlace} />
            </div>
          </div>
          {'{{events}}'}
          <CardSkeletons
            cover={
              <div className={`${card.picture} ${card.painted}`} data-muted="{{muted}}">
                {'{{picture}}'}
              </div>
            }
          />
        </section>
      </div>
    </>,
  ),
  heroArt: renderToStaticMarkup(<HeroArt />),
  heroPhoto: renderToStaticMarkup(<HeroPhoto src="{{address}}" />),
});

const eventPieces = () => ({
  event: renderToStaticMarkup(
    <div className={details.page}>
      <span className={details.back} />
      <div className={details.details}>
        <div className={details.cover}>{'{{picture}}'}</div>
        <div className={details.main}>
          <header className={details.head}>
            <p className={details.community}>{'{{name}}'}</p>
            <h1 className={details.title}>{'{{title}}'}</h1>
            <p className={details.badgesPlace} />
          </header>
          {'{{words}}'}
        </div>
      </div>
    </div>,
  ),
  eventWords: withoutScripts(
    <>
      {'{{state}}'}
      <dl className={details.facts}>{'{{facts}}'}</dl>
      {'{{about}}'}
      {contact}
    </>,
  ),
  state: renderToStaticMarkup(
    <p className={details.notice}>
      <strong>{'{{state}}'}</strong> {'{{reason}}'}
    </p>,
  ),
  fact: renderToStaticMarkup(
    <div>
      <dt className={details.community}>{'{{name}}'}</dt>
      <dd className={details.text} dir="auto">
        {'{{value}}'}
      </dd>
    </div>,
  ),
  about: renderToStaticMarkup(
    <section className={details.section}>
      <h2>{detailsText.description}</h2>
      {'{{description}}'}
    </section>,
  ),
  text: renderToStaticMarkup(
    <p className={details.text} dir="auto">
      {'{{text}}'}
    </p>,
  ),
  markdown: renderToStaticMarkup(
    <div className={details.markdown} dir="auto">
      {'{{html}}'}
    </div>,
  ),
  hosts: detailsText.hosts,
  free: eventText.freeEvent,
  howToPay: layoutText.paymentNote,
  cancelled: eventText.cancelled,
  ended: eventText.pastEvent,
  full: eventText.fullyBooked,
});

const listPieces = () => ({
  eventList: withoutScripts(
    <ul className={details.facts}>
      {'{{events}}'}
      <li>
        <a href="/events">{detailsText.allEvents}</a>
      </li>
    </ul>,
  ),
  noEvents: withoutScripts(<p>{calendarText.noEventsAhead}</p>),
  listed: renderToStaticMarkup(
    <li dir="auto">
      <a href="{{address}}">{'{{title}}'}</a>
      <p>{'{{facts}}'}</p>
    </li>,
  ),
  calendar: `${withoutScripts(<ScreenHeading title={calendarText.title} intro={calendarText.intro} />)}{{events}}`,
});

const otherPieces = () => ({
  noscript: withoutScripts(noscriptText.site),
  noscriptAtDoor: withoutScripts(noscriptText.door),
  forgotPassword: withoutScripts(
    <>
      <ScreenHeading title={resetRequestText.title} intro={resetRequestText.subtitle} />
      {contact}
    </>,
  ),
  legal: renderToStaticMarkup(
    <article className={legal.page}>
      <ScreenHeading title="{{title}}" />
      <p className={legal.words}>{'{{text}}'}</p>
    </article>,
  ),
  handbook: renderToStaticMarkup(
    <div className={help.page}>
      <div lang="{{language}}">
        <ScreenHeading title="{{title}}" intro="{{intro}}" />
      </div>
      {'{{note}}'}
      <div className={help.columns} lang="{{language}}">
        {'{{contents}}'}
        <div className={help.text}>{'{{html}}'}</div>
      </div>
    </div>,
  ),
  handbookContents: renderToStaticMarkup(<nav className={help.contents}>{'{{list}}'}</nav>),
  handbookParts: renderToStaticMarkup(<div className={help.parts}>{'{{html}}'}</div>),
  handbookLanguage: renderToStaticMarkup(<p className={help.note}>{helpText.language}</p>),
});

/**
 * Renders HTML at build time (web/scripts/first-paint.ts). The gateway fills in placeholders such as
 * `{{html}}` (gateway/src/site/index-page.ts).
 */
export const firstPaint = (): Record<string, string> => ({
  ...framePieces(),
  ...landingPieces(),
  ...eventPieces(),
  ...listPieces(),
  ...otherPieces(),
});
