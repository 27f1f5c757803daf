import type { LegalPage } from '@meetmark/contracts';
import { commonText, layoutText } from '@meetmark/i18n/texts/common';
import { Link } from 'react-router-dom';
import { useCommunity } from '../../api/community';
import { LinkedInIcon } from '../../ui/icons';
import styles from './layout.module.css';
import { HELP } from './navigation';

const legalLink = (page: LegalPage) => ({ to: `/${page}`, label: layoutText.legal[page] });

export function Footer({ sponsors: shown }: { sponsors: 'wall' | 'row' }) {
  const { name, sponsors, copyrightYear, linkedInUrl, legalPages } = useCommunity();
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        {sponsors.length > 0 && (
          <div className={styles.thanks} data-inner={shown === 'row' || undefined}>
            <h2 className={styles.heading}>{layoutText.sponsors}</h2>
            <ul className={styles.sponsors}>
              {sponsors.map((sponsor) => (
                <li key={sponsor.name}>
                  <a href={sponsor.url} target="_blank" rel="noopener noreferrer" className={styles.sponsor}>
                    <img src={sponsor.logoUrl} alt={sponsor.name} width={180} height={40} loading="lazy" />
                    <span className="visually-hidden">{commonText.opensInNewTab}</span>
                  </a>
                </li>
              ))}
            </ul>
          </div>
        )}
        <div className={styles.bottom}>
          <p>{layoutText.copyright({ year: copyrightYear, name })}</p>
          <nav aria-label={layoutText.footerNavigation} className={styles.links}>
            {[HELP, ...legalPages.map(legalLink)].map(({ to, label }) => (
              <Link key={to} to={to}>
                {label}
              </Link>
            ))}
            {linkedInUrl && (
              <a href={linkedInUrl} target="_blank" rel="noopener noreferrer">
                <LinkedInIcon size={18} /> {layoutText.linkedIn}
                <span className="visually-hidden">{commonText.opensInNewTab}</span>
              </a>
            )}
          </nav>
        </div>
      </div>
    </footer>
  );
}
