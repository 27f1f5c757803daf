import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './card.module.css';
import { Titled } from './titled';

interface CardProps {
  id?: string;
  title: string;
  titleId?: string;
  intro?: string;
  help?: ReactNode;
  children: ReactNode;
}

export const CardFrame = (section: ComponentProps<'section'>) => (
  <section {...section} className={styles.card} />
);

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
