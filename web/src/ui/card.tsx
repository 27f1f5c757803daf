import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './card.module.css';
import { Titled } from './titled';

interface CardProps {
  id?: string;
  title: string;
  /** The id of the heading, where it takes the focus or names more than the card. */
  titleId?: string;
  intro?: string;
  /** Stands beside the heading. */
  help?: ReactNode;
  children: ReactNode;
}

/** A framed part of a screen whose heading is among its children. */
export const CardFrame = (section: ComponentProps<'section'>) => (
  <section {...section} className={styles.card} />
);

/** A framed part of a screen, with its heading. */
export function Card({ id, title, titleId, intro, help, children }: CardProps) {
  const ownId = useId();
  return (
    <CardFrame id={id} aria-labelledby={titleId ?? ownId}>
      <div>
        <Titled help={help}>
          <h2 id={titleId ?? ownId} tabIndex={titleId ? -1 : undefined}>
            {title}
          </h2>
        </Titled>
        {intro && <p className={styles.intro}>{intro}</p>}
      </div>
      {children}
    </CardFrame>
  );
}
