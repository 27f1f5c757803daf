import type { Handbook, HandbookPage } from '@meetmark/contracts/handbook';
import { helpText as text } from '@meetmark/contracts/texts/help';
import { useEffect, useMemo } from 'react';
import { Link, useLocation, useParams } from 'react-router-dom';
import { EmptyState } from '../../ui/feedback';
import { ScreenHeading, usePageTitle } from '../../ui/screen-heading';
import { SearchBox } from '../../ui/search-box';
import { useFilters } from '../../ui/use-filters';
import { loadHandbook } from './handbook';
import styles from './help.module.css';
import { OtherLanguage } from './other-language';
import { type Found, pieces, searchHandbook, soughtIn } from './search';

const NOTHING_SOUGHT = { q: '' };

/** The handbook within the site: its contents, or one of its pages; and what a search finds in all of it. */
function HandbookScreen({ handbook }: { handbook: Handbook }) {
  const { part } = useParams();
  const page = handbook.pages.find((each) => each.part === part);
  const title = page?.title ?? handbook.title;
  usePageTitle(title);
  const [{ q }, change] = useFilters(NOTHING_SOUGHT, {});
  const sought = useMemo(() => soughtIn(q, handbook.language), [q, handbook]);
  const isSearch = sought.length > 0;
  const found = useMemo(
    () => (isSearch ? searchHandbook(handbook, sought) : []),
    [handbook, sought, isSearch],
  );
  useAddressedSection(isSearch);
  return (
    <div className={styles.page}>
      <div lang={handbook.language}>
        <ScreenHeading title={title} intro={page ? undefined : handbook.summary} />
      </div>
      <OtherLanguage handbook={handbook} />
      <div role="search" className={styles.searchPlace}>
        <SearchBox
          className={styles.search}
          label={text.search}
          placeholder={text.placeholder}
          value={q}
          onSearch={(words) => change({ q: words })}
        />
      </div>
      <p role="status" className={found.length > 0 ? styles.count : 'visually-hidden'}>
        {isSearch && text.found({ count: found.length })}
      </p>
      <div className={styles.columns} lang={handbook.language}>
        {page && <Contents handbook={handbook} page={page} />}
        {isSearch ? (
          <Results found={found} sought={sought} />
        ) : page ? (
          <PageText page={page} />
        ) : (
          <Parts handbook={handbook} />
        )}
      </div>
    </div>
  );
}

/** Goes to the section that the address names. */
function useAddressedSection(isSearch: boolean): void {
  const { hash, key } = useLocation();
  useEffect(() => {
    if (hash === '' || isSearch) return;
    // after the frame has gone to the top of the new screen
    queueMicrotask(() => {
      const section = document.getElementById(hash.slice(1));
      section?.scrollIntoView();
      section?.focus({ preventScroll: true });
    });
  }, [hash, key, isSearch]);
}

const addressOf = ({ part }: HandbookPage, section?: { id: string }) =>
  `/help/${part}${section ? `#${section.id}` : ''}`;

/** The pages, and the sections of the one that is open. */
const Contents = ({ handbook, page }: { handbook: Handbook; page: HandbookPage }) => (
  <nav className={styles.contents} aria-label={text.contents}>
    <ul>
      {handbook.pages.map((each) => (
        <li key={each.part}>
          <Link to={addressOf(each)} aria-current={each === page ? 'page' : undefined}>
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
        <Link to={addressOf(page, section)}>{section.title}</Link>
      </li>
    ))}
  </ul>
);

/** The whole contents. */
const Parts = ({ handbook }: { handbook: Handbook }) => (
  <div className={styles.text}>
    <div className={styles.parts}>
      {handbook.pages.map((page) => (
        <section key={page.part}>
          <h2>
            <Link to={addressOf(page)}>{page.title}</Link>
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

function Results({ found, sought }: { found: Found[]; sought: string[] }) {
  if (found.length === 0) return <EmptyState title={text.nothing} hint={text.nothingHint} />;
  return (
    <ol className={styles.results}>
      {found.map(({ page, section, paragraphs }) => (
        <li key={`${page.part} ${section.id}`}>
          <h2>
            <Link to={addressOf(page, section)}>
              <Marked text={section.title} sought={sought} />
            </Link>
          </h2>
          <p className={styles.where}>{page.title}</p>
          {paragraphs.map((paragraph) => (
            <p key={paragraph}>
              <Marked text={paragraph} sought={sought} />
            </p>
          ))}
        </li>
      ))}
    </ol>
  );
}

const Marked = ({ text: words, sought }: { text: string; sought: string[] }) =>
  pieces(words, sought).map((piece, at) => (piece.isHit ? <mark key={at}>{piece.words}</mark> : piece.words));

/** The screen with its text, so that it takes the place of what was painted first at once. */
export async function loadHandbookScreen() {
  const handbook = await loadHandbook();
  return { default: () => <HandbookScreen handbook={handbook} /> };
}
