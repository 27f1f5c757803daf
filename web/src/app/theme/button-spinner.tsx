import styles from '../../ui/feedback.module.css';

interface ButtonSpinnerProps {
  prefixCls: string;
  loading?: unknown;
  /** Whether it takes the place of the button's icon. */
  existIcon?: boolean;
  className?: string;
}

/** Stands in for antd's DefaultLoadingIcon (see vite.config.ts), which brings its motion and its icons to every page. */
export default function ButtonSpinner({ prefixCls, loading, existIcon, className }: ButtonSpinnerProps) {
  if (!loading && !existIcon) return null;
  return (
    <span className={[`${prefixCls}-icon ${prefixCls}-loading-icon`, className].filter(Boolean).join(' ')}>
      <i className={styles.inButton} />
    </span>
  );
}
