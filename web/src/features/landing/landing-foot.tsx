import { languageText } from '@meetmark/i18n/texts/language';
import { chosenLocale, speak } from '../../api/language';
import { LanguageSelect } from '../../ui/language-select';
import SubscribeBox from '../topics/subscribe-box';
import styles from './landing-foot.module.css';

export default function LandingFoot() {
  return (
    <>
      <SubscribeBox />
      {/* Reloads the page in the chosen language, which a new account keeps. */}
      <label className={styles.language}>
        {languageText.title}
        <LanguageSelect value={chosenLocale()} choose={speak} />
      </label>
    </>
  );
}
