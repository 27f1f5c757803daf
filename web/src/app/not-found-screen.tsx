import { Link } from 'react-router-dom';
import { commonText } from '../strings/common';
import { usePageTitle } from '../ui/page-title';
import styles from './not-found-screen.module.css';

export function NotFoundScreen() {
  usePageTitle(commonText.notFoundTitle);
  return (
    <section className={styles.page}>
      <h1>{commonText.notFoundTitle}</h1>
      <p>{commonText.notFoundHint}</p>
      <Link to="/">{commonText.notFoundLink}</Link>
    </section>
  );
}
