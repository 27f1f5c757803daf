import { languageText } from '@meetmark/contracts/texts/language';
import { chosenLocale, speak } from '../../api/language';
import { LanguageSelect } from '../../ui/language-select';
import SubscribeBox from '../topics/subscribe-box';
import styles from './landing-foot.module.css';

/** What stands below the events: none of it is needed before they are read. */
export default function LandingFoot() {
  return (
    <>
      <SubscribeBox />
      {/* The page reloads in the chosen language, and a new account made from there keeps it. */}
      <label className={styles.language}>
        {languageText.title}
        <LanguageSelect value={chosenLocale()} choose={speak} />
      </label>
    </>
  );
}
