import { type Handbook, HELP, type HelpPanel } from '@meetmark/contracts/handbook';
import { commonText } from '@meetmark/i18n/texts/common';
import { helpText as text } from '@meetmark/i18n/texts/help';
import { useRef } from 'react';
import { Sheet } from '../../ui/sheet';
import { loadHandbook } from './handbook';
import styles from './help.module.css';
import { OtherLanguage } from './other-language';

interface HelpSheetProps {
  handbook: Handbook;
  panel: HelpPanel;
  title: string;
  close: () => void;
}

/** Links open in a new tab, so that the page keeps its input. */
function HelpSheet({ handbook, panel, title, close }: HelpSheetProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [part, id] = HELP[panel].split('#');
  const section = handbook.pages.find((page) => page.part === part)?.sections.find((each) => each.id === id);
  return (
    <Sheet
      title={title}
      size={440}
      rootClassName={styles.beside}
      autoFocus={false}
      opened={() => heading.current?.focus()}
      close={close}
    >
      {() => (
        <div className={styles.sheet}>
          <OtherLanguage handbook={handbook} />
          {section && (
            <section className={styles.text} lang={handbook.language}>
              <h3 ref={heading} tabIndex={-1}>
                {section.title}
              </h3>
              <div
                dangerouslySetInnerHTML={{
                  __html: section.html.replaceAll('<a href', '<a target="_blank" href'),
                }}
              />
            </section>
          )}
          <p>
            <a href={`/help/${HELP[panel]}`} target="_blank">
              {text.open} <span className="visually-hidden">{commonText.opensInNewTab}</span>
            </a>
          </p>
        </div>
      )}
    </Sheet>
  );
}

export async function loadHelpSheet() {
  const handbook = await loadHandbook();
  return {
    default: (props: Omit<HelpSheetProps, 'handbook'>) => <HelpSheet {...props} handbook={handbook} />,
  };
}
