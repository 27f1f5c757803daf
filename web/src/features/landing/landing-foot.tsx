import { chosenLocale, speak } from '../../api/language';
import { languageText } from '../../strings/language';
import { LanguageSelect } from '../../ui/language-select';
import SubscribeBox from '../topics/subscribe-box';
import styles from './landing-foot.module.css';

/** What stands below the events: none of it is needed before they are read. */
export default function LandingFoot() {
  return (
    <>
      <SubscribeBox />
      {/* A reload shows the page in it, and whoever signs up from there keeps it. */}
      <label className={styles.language}>
        {languageText.title}
        <LanguageSelect value={chosenLocale()} choose={speak} />
      </label>
    </>
  );
}
