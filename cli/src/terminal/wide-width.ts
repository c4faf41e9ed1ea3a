// Separate module because its width tables take longer to load than a whole plain-text command.
export { default as wideWidth } from 'string-width';
