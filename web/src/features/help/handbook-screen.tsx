import type { Handbook, HandbookPage } from '@meetmark/contracts/handbook';
import { helpText as text } from '@meetmark/i18n/texts/help';
import { Link, useParams } from 'react-router-dom';
import { ScreenHeading, usePageTitle } from '../../ui/screen-heading';
import { loadHandbook } from './handbook';
import styles from './help.module.css';
import { OtherLanguage } from './other-language';

function HandbookScreen({ handbook }: { handbook: Handbook }) {
  const { part } = useParams();
  const page = handbook.pages.find((each) => each.part === part);
  const title = page?.title ?? handbook.title;
  usePageTitle(title);
  return (
    <div className={styles.page}>
      <div lang={handbook.language}>
        <ScreenHeading title={title} intro={page ? undefined : handbook.summary} />
      </div>
      <OtherLanguage handbook={handbook} />
      <div className={styles.columns} lang={handbook.language}>
        {page && <Contents handbook={handbook} page={page} />}
        {page ? <PageText page={page} /> : <Parts handbook={handbook} />}
      </div>
    </div>
  );
}

const getHelpPath = ({ part }: HandbookPage, section?: { id: string }) =>
  `/help/${part}${section ? `#${section.id}` : ''}`;

const Contents = ({ handbook, page }: { handbook: Handbook; page: HandbookPage }) => (
  <nav className={styles.contents} aria-label={text.contents}>
    <ul>
      {handbook.pages.map((each) => (
        <li key={each.part}>
          <Link to={getHelpPath(each)} aria-current={each === page ? 'page' : undefined}>
            {each.title}
          </Link>
          {each === page && <Sections page={each} />}
        </li>
      ))}
    </ul>
  </nav>
);

const Sections = ({ page }: { page: HandbookPage }) => (
  <ul>
    {page.sections.map((section) => (
      <li key={section.id}>
        <Link to={getHelpPath(page, section)}>{section.title}</Link>
      </li>
    ))}
  </ul>
);

const Parts = ({ handbook }: { handbook: Handbook }) => (
  <div className={styles.text}>
    <div className={styles.parts}>
      {handbook.pages.map((page) => (
        <section key={page.part}>
          <h2>
            <Link to={getHelpPath(page)}>{page.title}</Link>
          </h2>
          <p>{page.summary}</p>
          <Sections page={page} />
        </section>
      ))}
    </div>
    <div dangerouslySetInnerHTML={{ __html: handbook.end }} />
  </div>
);

const PageText = ({ page }: { page: HandbookPage }) => (
  <article id={page.id} className={styles.text}>
    <div dangerouslySetInnerHTML={{ __html: page.html }} />
    {page.sections.map(({ id, title, html }) => (
      <section key={id}>
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        <div dangerouslySetInnerHTML={{ __html: html }} />
      </section>
    ))}
  </article>
);

/** Loads the screen and the handbook together, so that both replace the first paint at the same time. */
export async function loadHandbookScreen() {
  const handbook = await loadHandbook();
  return { default: () => <HandbookScreen handbook={handbook} /> };
}
