import { LIMITS } from '@meetmark/contracts/limits';
import { useEffect, useState } from 'react';
import { SearchIcon } from './icons';
import styles from './choice.module.css';

/** Milliseconds without a key press before the list is fetched. */
const TYPING_PAUSE = 300;

interface SearchBoxProps {
  label: string;
  placeholder: string;
  value: string;
  onSearch: (text: string) => void;
  className?: string;
}

/** Searches during typing, after a short pause. */
export function SearchBox({ label, placeholder, value, onSearch, className }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const [sought, setSought] = useState(value);
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    // A link or the Back button has changed the value. Text typed during a search stays.
    if (value !== sought) {
      setText(value);
      setSought(value);
    }
  }
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === value) return undefined;
    const timer = setTimeout(() => {
      setSought(wanted);
      onSearch(wanted);
    }, TYPING_PAUSE);
    return () => clearTimeout(timer);
  }, [text, value, onSearch]);
  return (
    <span className={`${styles.search} ${className ?? ''}`}>
      <SearchIcon />
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        maxLength={LIMITS.search}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </span>
  );
}
