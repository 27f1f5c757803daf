import { renderToStaticMarkup } from 'react-dom/server';
import { CardSkeletons } from '../features/events/event-card';
import browse from '../features/events/browse-events.module.css';
import { Hero } from '../features/landing/hero';
import hero from '../features/landing/hero.module.css';
import details from '../features/events/event-details.module.css';
import card from '../features/events/event-card.module.css';
import legal from '../features/legal/legal-screen.module.css';
import { browseText } from '../strings/events';
import { noscriptText } from '../strings/noscript';
import { CentredSpinner } from '../ui/centred-spinner';
import { ScreenHeading } from '../ui/screen-heading';
import { Letter, Logo } from './layout/brand-mark';
import header from './layout/header.module.css';
import layout from './layout/layout.module.css';
import strip from './layout/next-event-strip.module.css';

/**
 * What is shown until the script arrives, from the screens' own parts and styles. The build runs it (web/scripts/first-paint.ts);
 * the gateway fills in the `{{words}}` (gateway/src/site/index-page.ts) and the first screen takes its place.
 */
export const firstPaint = (): Record<string, string> => ({
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
  landing: renderToStaticMarkup(
    <>
      <Hero name="{{name}}" headline="{{headline}}" tagline="{{tagline}}" />
      <div id="events" className={hero.events}>
        <section className={browse.section}>
          <div className={browse.head}>
            <h2 className={browse.title}>{browseText.title}</h2>
            <p className={browse.count} />
            <div className={browse.tools}>
              <i className={browse.toolsPlace} />
            </div>
          </div>
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
  waiting: renderToStaticMarkup(<CentredSpinner />),
  noscript: renderToStaticMarkup(<noscript>{noscriptText.site}</noscript>),
  noscriptAtDoor: renderToStaticMarkup(<noscript>{noscriptText.door}</noscript>),
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
        </div>
      </div>
    </div>,
  ),
  legal: renderToStaticMarkup(
    <article className={legal.page}>
      <ScreenHeading title="{{title}}" />
      <p className={legal.words}>{'{{text}}'}</p>
    </article>,
  ),
  picture: renderToStaticMarkup(
    <img className={card.banner} src="{{address}}" alt="" width={1600} height={800} fetchPriority="high" />,
  ),
});
