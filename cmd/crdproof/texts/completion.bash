
__crdproof_handle_special_char() { :; }

__crdproof_get_completion_results()
{
    local typed=("${words[@]}") quotes=${cur//[^\'\"]/}
    typed[cword]+=${quotes:0:1}
    [[ -n $cur ]] || typed[cword]="''"
    out=$(eval "${typed[0]} __complete ${typed[*]:1}" 2>/dev/null)
    directive=${out##*:}
    out=${out%:*}
    [[ $cur == -*=* ]] && cur=${cur#*=}
}

__crdproof_handle_completion_types()
{
    local tab=$'\t' breaks=${COMP_WORDBREAKS//[^:=]/} typed=${cur//\\/} kept=$cur longest=0 comp rest text
    if [[ $cur == *[\'\"]* ]]; then
        typed=${cur//[\'\"]/} kept=${cur##*[\'\"]}
    elif [[ -n $breaks ]]; then
        kept=${cur##*["$breaks"]}
    fi
    ((${#completions[@]} == 0)) && return
    for comp in "${completions[@]}"; do
        [[ ${comp%%"$tab"*} == "$typed"* ]] || continue
        rest=${comp:${#typed}}
        text=${rest%%"$tab"*}
        rest=${rest#"$text"}
        [[ -n $text && $cur != *[\'\"]* ]] && printf -v text %q "$text"
        text=$kept$text
        COMPREPLY+=("$text$rest")
        ((${#text} > longest)) && longest=${#text}
    done
    if ((${#COMPREPLY[@]} == 1 || COMP_TYPE == 37 || COMP_TYPE == 42)); then
        COMPREPLY=("${COMPREPLY[@]%%"$tab"*}")
    else
        __crdproof_format_comp_descriptions "$longest"
    fi
}
