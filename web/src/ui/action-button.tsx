import { Button, type ButtonProps } from 'antd';

interface ActionButtonProps extends Omit<ButtonProps, 'loading'> {
  /** Whether a press does nothing at the moment: the button looks disabled and says so, but keeps the focus. */
  inactive?: boolean;
  /** As `inactive`, with a sign that something is under way: for labels that do not say so. */
  loading?: boolean;
}

/**
 * A button whose action may be under way or not to be had. `disabled` would drop the focus to the top of the page as it is
 * pressed.
 */
export function ActionButton({
  inactive = false,
  loading = false,
  className,
  onClick,
  ...button
}: ActionButtonProps) {
  const idle = inactive || loading;
  return (
    <Button
      {...button}
      loading={loading}
      className={[className, idle && 'ant-btn-disabled'].filter(Boolean).join(' ')}
      aria-disabled={idle || undefined}
      onClick={(event) => {
        // A submit button is pressed by Enter in a field too: the form is not sent again.
        if (idle) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}
