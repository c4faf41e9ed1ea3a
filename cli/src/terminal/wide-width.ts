// In a file of its own because the tables behind it take longer to load than a whole command of plain text.
export { default as wideWidth } from 'string-width';
